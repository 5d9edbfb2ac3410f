// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UrgentByte;
import io.pipedevice.peer.link.AskedByte;
import io.pipedevice.peer.link.Challenge;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * How the client of an accepted connection shows that it has the other end: it sends the byte that it was asked for as
 * urgent data. Guarded by the lock of the listener's accepting thread, except for the final fields.
 */
final class ByteProof {
    /**
     * The byte was sent before the client posted its connection. But a thread of the kernel may have to bring it, which
     * waits for a processor like any other.
     */
    private static final long TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long YIELD_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long SLEEP_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final long POST_NS = TimeUnit.MICROSECONDS.toNanos(50);

    final int port;
    final List<AskedByte> asked;
    final long sinceNs = System.nanoTime();
    private final Fd socket;

    /** The byte that has come; it is received once, whichever client is judged. */
    private int received = UrgentByte.NONE;

    /** Whether the clients have had their time. Any thread; by {@link LinkClaims}. */
    private final AtomicBoolean unanswered = new AtomicBoolean();

    /** How many connections each of the clients had posted when it was asked to post no more; null before that. */
    private long[] posted;

    /** The client that has sent its byte; null before that. */
    private Challenge proven;

    /**
     * @param socket of the connection; owned by this
     * @param port that the connection has come from
     * @param asked the clients that have announced a connection from that port
     */
    ByteProof(Fd socket, int port, List<AskedByte> asked) {
        this.socket = socket;
        this.port = port;
        this.asked = asked;
    }

    /** Whether a client still announces the connection, or may have posted it. Any thread. */
    boolean isOpen() {
        return asked.stream().anyMatch(each -> each.challenge().isOpen(port));
    }

    /**
     * Whether the clients have not answered in time, which counts as false claims. True once; false if what a client
     * has posted waits to be accepted.
     */
    boolean isUnanswered() {
        boolean waits = asked.stream().anyMatch(each -> each.challenge().link().isWaiting());
        if (waits || !unanswered.compareAndSet(false, true)) {
            return false;
        }
        asked.forEach(each -> each.challenge().link().claimedFalsely(false));
        return true;
    }

    /** Of the connection. */
    Fd socket() {
        return socket;
    }

    /** Spares a wake-up: a client that is awake posts the connection within some microseconds. */
    @SuppressWarnings("ThreadPriorityCheck") // the client may need this thread's processor
    void spin() {
        while (System.nanoTime() - sinceNs < POST_NS) {
            for (AskedByte each : asked) {
                if (each.challenge().link().isWaiting()) {
                    return;
                }
            }
            Thread.yield();
        }
    }

    /**
     * Whether no client moves to rings. Asks them first to post no more.
     *
     * @return false if a client has posted a connection before that, which has to be judged
     */
    boolean isAbandoned() {
        if (posted == null) {
            posted = asked.stream()
                    .map(AskedByte::challenge)
                    .mapToLong(each -> each.link().revoke(each.slot(), each.generation()))
                    .toArray();
        }
        for (int i = 0; i < posted.length; i++) {
            if (!asked.get(i).challenge().link().hasJudged(posted[i])) {
                return false;
            }
        }
        return true;
    }

    /** Notifies the clients that the connection stays on the kernel. */
    void leave() {
        asked.forEach(AskedByte::leave);
        // The byte of a client must not get into the stream of a program that sets SO_OOBINLINE.
        try {
            UrgentByte.receive(socket);
        } catch (LinuxException e) {
            // The connection has ended.
            received = UrgentByte.NONE;
        }
    }

    /** Whether a client was found to have the connection before. */
    boolean isProven(Challenge claim) {
        return claim.equals(proven);
    }

    /** The client that was found to have the connection; null before that. */
    Challenge proven() {
        return proven;
    }

    /** A client has the connection. */
    void proves(Challenge claim) {
        proven = claim;
    }

    /** The byte that a client was asked for. */
    int valueOf(Challenge claim) {
        for (AskedByte each : asked) {
            if (each.challenge().equals(claim)) {
                return each.value();
            }
        }
        throw new IllegalArgumentException("not asked");
    }

    /** The byte that has come, after a short wait; {@link UrgentByte#NONE} if none has. */
    @SuppressWarnings("ThreadPriorityCheck") // the kernel's thread may need it
    int await() {
        long begin = System.nanoTime();
        try {
            received = received == UrgentByte.NONE ? UrgentByte.receive(socket) : received;
            for (long waited = 0;
                    received == UrgentByte.NONE && waited <= TIMEOUT_NS;
                    waited = System.nanoTime() - begin) {
                if (waited < YIELD_NS) {
                    Thread.yield();
                } else {
                    LockSupport.parkNanos(SLEEP_NS);
                }
                received = UrgentByte.receive(socket);
            }
        } catch (LinuxException e) {
            // The connection has ended.
            return UrgentByte.NONE;
        }
        return received;
    }

    void close() {
        socket.close();
    }
}
