// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.DoorbellMessage;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.wait.ThreadBell;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * A doorbell that peers ring to wake a sleeper of this process. A ring is a hint, which any process with the descriptor
 * may send. It carries a cookie from the sleeper's arm word.
 *
 * <p>{@link #signal} is thread safe; the other methods that use the descriptors are for the sleeper, of which there is
 * one at a time. A peer that has the ringing end can shut the bell down for all. That wakes the owner, which detects it
 * and takes another bell.
 */
public final class Bell implements ThreadBell, AutoCloseable {
    private static final LazyLogger LOG = new LazyLogger(Bell.class);

    /**
     * Closes descriptors that peers send with a ring, or instead of one. Never closed; its threads end by themselves.
     */
    private static final Disposal DISPOSAL = new Disposal();

    /** One account for all: any process with the ringing end may have sent them. */
    private static final Disposal.Account ACCOUNT = DISPOSAL.account(Bell.class);

    private static final Consumer<Fd> CLOSER = Bell::dispose;

    /** Whether a descriptor was ever received, so that the account has to be checked. */
    private static volatile boolean abused;

    /** A bell holds some hundred rings. */
    private static final int MOST_RECEIVES = 16;

    private final UnixSocket ear;
    private final UnixSocket ringingEnd;

    /** Whether the bell belongs to pollers, which read ready sets while they are awake. */
    private final boolean pollers;

    private final Poll poll = new Poll(1);
    private final IntConsumer rings = this::rung;

    /** Receives the cookies; null while they are ignored. */
    private IntConsumer cookies;

    private boolean crowded;

    private Bell(UnixSocket ear, UnixSocket ringingEnd, boolean pollers) {
        this.pollers = pollers;
        this.ear = ear;
        this.ringingEnd = ringingEnd;
        poll.add(ear.fd(), Poll.IN);
    }

    /** Opens a bell for a thread, or for the dispatcher. It takes two descriptors. */
    static Bell open() throws PdException {
        return open(false);
    }

    /** Opens a bell for pollers. It takes two descriptors. */
    static Bell openForPollers() throws PdException {
        return open(true);
    }

    private static Bell open(boolean pollers) throws PdException {
        try {
            UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
            // No descriptors belong to a ring. Before Linux 6.16 the kernel cannot refuse them, and drain() closes
            // them.
            pair[0].passRights(false);
            return new Bell(pair[0], pair[1], pollers);
        } catch (LinuxException e) {
            throw new PdException(e.errno(), "cannot open a bell");
        }
    }

    /** For tests: permits descriptors, as kernels before Linux 6.16 do, or refuses them again. */
    void passRights(boolean on) throws LinuxException {
        ear.passRights(on);
    }

    /**
     * Whether the bell is for pollers.
     *
     * @return false if it is for a thread, or for the dispatcher
     */
    public boolean isPollers() {
        return pollers;
    }

    /**
     * The end that peers ring.
     *
     * @return owned by the bell
     */
    public UnixSocket ringingEnd() {
        return ringingEnd;
    }

    /** The descriptor that is readable when the bell was rung. */
    Fd ear() {
        return ear.fd();
    }

    /** Wakes the sleeper. No ring is needed in a full bell, which wakes it too. */
    @Override
    public void signal() {
        DoorbellMessage.send(ringingEnd.fd(), DoorbellMessage.NO_COOKIE);
    }

    /**
     * Receives the rings that have come, without waiting: all that a bell can hold, because a selection must find what
     * was written before it, but not more, because a peer may ring without end.
     *
     * @param hints gets the cookies; any ints
     * @return false if the bell has ended
     */
    boolean drain(IntConsumer hints) {
        crowded = false;
        int count;
        int left = MOST_RECEIVES;
        do {
            count = receive(hints, false);
        } while (count == UnixSocket.DRAIN_LIMIT && --left > 0);
        return isOpen(count);
    }

    /** Whether the last drain found signs that the bell was full, so that a peer may have failed to ring. */
    boolean wasCrowded() {
        return crowded;
    }

    @Override
    public boolean sleep(long nanos) throws PdException {
        if (nanos == Long.MAX_VALUE) {
            return isOpen(receive(null, true));
        }
        try {
            // Rounded up, so that the thread does not return before the timeout.
            return poll.await(TimeUnit.NANOSECONDS.toMillis(nanos + 999_999)) == 0 || isOpen(receive(null, false));
        } catch (LinuxException e) {
            throw new PdException(e.errno(), "cannot sleep");
        }
    }

    /** Receives some rings; returns how many, -1 at the bell's end. */
    private int receive(IntConsumer hints, boolean wait) {
        cookies = hints;
        int count = DoorbellMessage.receive(ear.fd(), rings, wait, CLOSER);
        crowded |= count > 1;
        return count;
    }

    /** A bell with more descriptors than can be closed is taken out of use, with its contents. */
    private static boolean isOpen(int heard) {
        return heard >= 0 && !(abused && ACCOUNT.isFull());
    }

    private static void dispose(Fd unwanted) {
        abused = true;
        ACCOUNT.close(unwanted);
    }

    private void rung(int cookie) {
        crowded |= cookie == DoorbellMessage.NO_COOKIE;
        if (cookies != null) {
            cookies.accept(cookie);
        }
    }

    /** Shuts the bell down: after the return no thread can ring it. Another thread discards unread rings later. */
    @Override
    public void close() {
        try {
            ear.shutdown(true, true);
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "a bell is closed already: {0}", e.getMessage());
        }
        ACCOUNT.close(ear);
        ringingEnd.close();
    }
}
