// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UrgentByte;
import io.pipedevice.peer.link.AskedByte;
import io.pipedevice.peer.link.Challenge;
import io.pipedevice.peer.link.Claimant;
import io.pipedevice.peer.link.ConnectionRule;
import io.pipedevice.peer.link.ServerLink;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.wait.Later;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * The held connections about which no driver is asked: their clients have a link with the listener, have announced
 * them, and show by a byte that they have the other ends. Thread safe.
 *
 * @param <C> the kernel's connections
 */
final class LinkClaims<C> {
    private static final LazyLogger LOG = new LazyLogger(LinkClaims.class);

    /**
     * The most clients that are asked about one connection. Two containers may have a connection from the same port at
     * a time; a client that claims another one's can only guess the byte.
     */
    private static final int MOST_ASKED = 2;

    private static final int MOST_INTRODUCED = 4096;

    /** How often connections are looked at whose clients have announced them and do not post them. */
    private static final long LOOK_MS = 100;

    /** How long a client may take that still announces a connection. */
    private static final long ASK_MS = 500;

    private final PeerListener listener;
    private final Runnable receive;

    /** Connections whose clients were asked for a byte, by what was asked; a connection may be in it several times. */
    private final ConcurrentHashMap<Challenge, HeldConnection<C>> challenged = new ConcurrentHashMap<>();

    /**
     * The driver's sessions in which clients were introduced, by the numbers of their processes. Only sessions whose
     * rulings are fixed: a client is asked for a byte only in the session that has introduced it.
     */
    private final ConcurrentHashMap<Integer, BrokerSession> introduced = new ConcurrentHashMap<>();

    private final AtomicBoolean looks = new AtomicBoolean();
    private final RandomBytes random = new RandomBytes();

    /**
     * @param listener has the links
     * @param receive receives what the driver has sent before
     */
    LinkClaims(PeerListener listener, Runnable receive) {
        this.listener = listener;
        this.receive = receive;
    }

    /** The driver of a session has introduced a process. */
    void introduced(int pid, BrokerSession session) {
        if (session.isFixed() && introduced.put(pid, session) == null && introduced.size() > MOST_INTRODUCED) {
            // Rather ask the driver too often than keep more.
            introduced.clear();
        }
    }

    /** Whether the client of a link may connect without a question to the driver. */
    private boolean mayMeet(Claimant link, BrokerSession session) {
        return session != null && introduced.get(link.pid()) == session;
    }

    /** Whether a client may use its link. Receives the driver's messages first if that is not known. */
    private Predicate<Claimant> mayMeet(BrokerSession session) {
        AtomicBoolean received = new AtomicBoolean();
        return link -> {
            if (!mayMeet(link, session) && received.compareAndSet(false, true)) {
                receive.run();
            }
            return mayMeet(link, session);
        };
    }

    /**
     * Asks the clients that have announced a connection from a port.
     *
     * @param socket of the connection, to which a byte is sent that the clients compare; taken over if any is asked
     * @return null if none is asked
     */
    ByteProof ask(Fd socket, int port, BrokerSession session) {
        int shown = random.next();
        List<AskedByte> asked = challenge(port, shown, mayMeet(session));
        if (asked.isEmpty()) {
            return null;
        }
        try {
            UrgentByte.send(socket, shown);
        } catch (LinuxException e) {
            // The connection has ended, or has no room: no client will post it.
            LOG.get().log(Level.DEBUG, "no byte is sent: {0}", e.getMessage());
        }
        return new ByteProof(socket, port, asked);
    }

    /**
     * Asks the clients that have announced a connection from a port for a byte on that connection.
     *
     * @param shown the byte that this process sends on that connection if any client was asked
     * @param which the links whose clients may be asked
     * @return empty if no client has announced a connection from the port, or too many have
     */
    private List<AskedByte> challenge(int port, int shown, Predicate<Claimant> which) {
        List<AskedByte> all = List.of();
        for (ServerLink link : listener.links()) {
            List<AskedByte> before = all;
            AskedByte asked = which.test(link) ? link.challenge(port, shown, () -> another(before)) : null;
            if (asked != null) {
                all = all.isEmpty() ? new ArrayList<>(1) : all;
                all.add(asked);
            }
            if (all.size() > MOST_ASKED) {
                all.forEach(AskedByte::leave);
                return List.of();
            }
        }
        return all;
    }

    /** A byte that no client can guess, and no other one was asked for. */
    private int another(List<AskedByte> others) {
        while (true) {
            int value = random.next();
            if (others.stream().noneMatch(each -> each.value() == value)) {
                return value;
            }
        }
    }

    /** Waits until one of the clients that were asked posts the connection. */
    void await(HeldConnection<C> held) {
        held.proof.asked.forEach(each -> challenged.put(each.challenge(), held));
        lookLater();
    }

    private void lookLater() {
        if (!challenged.isEmpty() && looks.compareAndSet(false, true)) {
            Later.after(LOOK_MS, TimeUnit.MILLISECONDS, this::look);
        }
    }

    /** Asks the driver about connections that their clients do not post, and then releases them. */
    private void look() {
        long now = System.nanoTime();
        for (HeldConnection<C> held : Set.copyOf(challenged.values())) {
            long age = now - held.proof.sinceNs;
            if (age > TimeUnit.MILLISECONDS.toNanos(BrokeredListener.ANSWER_MS)) {
                if (!held.isAsked()) {
                    held.release(Errno.ETIMEDOUT, "the client has not gone on by rings");
                }
                held.checkClient();
            } else if (isDue(age, held.proof) && held.proof.isUnanswered()) {
                held.ask();
            }
        }
        looks.set(false);
        lookLater();
    }

    /** Whether it is time to ask the driver: a client that still announces the connection may just not run. */
    private static boolean isDue(long age, ByteProof proof) {
        long most = proof.isOpen() ? ASK_MS : LOOK_MS;
        return age > TimeUnit.MILLISECONDS.toNanos(most);
    }

    /** Whether a connection of a client's process waits to be accepted. */
    boolean isWaiting(HeldConnection.Client client) {
        return isWaiting(client.pid());
    }

    /**
     * Whether the client that has sent its byte has no connection that waits to be accepted. Under the lock of the
     * accepting thread.
     */
    boolean isClientGone(HeldConnection<C> held) {
        Challenge claim = held.proof.proven();
        return claim != null && !isWaiting(claim.link().pid());
    }

    /** Whether a connection of a process waits to be accepted; false if its links have ended. */
    private boolean isWaiting(int pid) {
        for (ServerLink link : listener.links()) {
            if (link.pid() == pid && link.isWaiting()) {
                return true;
            }
        }
        return false;
    }

    /** Waits for nothing from the clients that were asked about a connection. */
    void forget(HeldConnection<C> held) {
        if (held.proof != null) {
            held.proof.asked.forEach(each -> challenged.remove(each.challenge(), held));
        }
    }

    /** The connection that a client was asked about; null if it was not. */
    HeldConnection<C> of(Challenge claim) {
        return challenged.get(claim);
    }

    /** Whether a client that has posted a connection has its other end. Under the lock of the accepting thread. */
    ConnectionRule.Verdict judge(HeldConnection<C> held, Challenge claim) {
        ByteProof proof = held.proof;
        if (proof.isProven(claim)) {
            // There was no memory for the rings.
            return ConnectionRule.Verdict.TAKE;
        }
        boolean isUndecided = held.isUndecided();
        int got = isUndecided ? proof.await() : UrgentByte.NONE;
        if (isUndecided && got == proof.valueOf(claim)) {
            // Even if the client is late.
            held.end();
            proof.proves(claim);
            claim.link().claimedRightly();
            return ConnectionRule.Verdict.TAKE;
        }
        challenged.remove(claim, held);
        if (isUndecided) {
            claim.link().claimedFalsely(got != UrgentByte.NONE);
            if (proof.asked.stream().noneMatch(each -> challenged.containsKey(each.challenge()))) {
                held.release(Errno.EPROTO, "the client's byte has not come");
            }
        }
        return ConnectionRule.Verdict.REFUSE;
    }

    /** Bytes that no other process can guess. Thread safe. */
    private static final class RandomBytes {
        private final SecureRandom source = new SecureRandom();

        /** Guarded by this object's monitor. */
        private final byte[] bytes = new byte[256];

        private int used = bytes.length;

        /** The next byte, 0 to 255. */
        synchronized int next() {
            if (used == bytes.length) {
                source.nextBytes(bytes);
                used = 0;
            }
            return Byte.toUnsignedInt(bytes[used++]);
        }
    }
}
