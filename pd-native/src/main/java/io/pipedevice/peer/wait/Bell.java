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
 * What peers ring to wake a sleeper of this process. A ring is a hint, which anybody may send; each carries a cookie that
 * the sleeper armed with.
 *
 * <p>{@link #signal} is thread safe, the rest is the sleeper's, of whom there is one at a time. A peer that has the ringing
 * end can end the bell for all: its owner is woken by that, finds out, and takes another.
 */
public final class Bell implements ThreadBell, AutoCloseable {
    private static final LazyLogger LOG = new LazyLogger(Bell.class);

    /** For what peers send with a ring, or instead of one. Never closed; its threads end by themselves. */
    private static final Disposal DISPOSAL = new Disposal();

    /** Any process that has the ringing end may have sent them. */
    private static final Disposal.Account ACCOUNT = DISPOSAL.account(Bell.class);

    private static final Consumer<Fd> CLOSER = Bell::dispose;

    /** Whether a descriptor ever came, so that the account is worth a look. */
    private static volatile boolean abused;

    private final UnixSocket ear;
    private final UnixSocket ringingEnd;

    /** Whether it belongs to pollers, which read ready sets while they are awake. */
    private final boolean pollers;

    private final Poll poll = new Poll(1);
    private final IntConsumer rings = this::rung;

    /** Gets the cookies; null while nobody cares. */
    private IntConsumer cookies;

    private boolean crowded;

    private Bell(UnixSocket ear, UnixSocket ringingEnd, boolean pollers) {
        this.pollers = pollers;
        this.ear = ear;
        this.ringingEnd = ringingEnd;
        poll.add(ear.fd(), Poll.IN);
    }

    /** Opens a bell of a thread, or of the dispatcher, which takes two descriptors. */
    static Bell open() throws PdException {
        return open(false);
    }

    /** Opens a bell of pollers, which takes two descriptors. */
    static Bell openForPollers() throws PdException {
        return open(true);
    }

    private static Bell open(boolean pollers) throws PdException {
        try {
            UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
            // No descriptor comes with a ring. Before Linux 6.16 the kernel cannot refuse them: hear() closes them
            // then.
            pair[0].passRights(false);
            return new Bell(pair[0], pair[1], pollers);
        } catch (LinuxException e) {
            throw new PdException(e.errno(), "cannot make a bell");
        }
    }

    /** For tests: permits descriptors, as kernels before Linux 6.16 do, or refuses them again. */
    void passRights(boolean on) throws LinuxException {
        ear.passRights(on);
    }

    /**
     * Whether a poller owns it.
     *
     * @return false if it is a thread's, or the dispatcher's
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

    /** What to wait for, until it is readable. */
    Fd ear() {
        return ear.fd();
    }

    /** A bell that is full wakes the sleeper too. */
    @Override
    public void signal() {
        DoorbellMessage.send(ringingEnd.fd(), DoorbellMessage.NO_COOKIE);
    }

    /**
     * Takes out what has come, without waiting; if that was much, not everything.
     *
     * @param hints gets the cookies, any ints
     * @return false if the bell has ended
     */
    boolean drain(IntConsumer hints) {
        return hear(hints, false);
    }

    /** Whether the last drain found the traces of a bell that was full, so that somebody could not ring. */
    boolean wasCrowded() {
        return crowded;
    }

    @Override
    public boolean sleep(long nanos) throws PdException {
        if (nanos == Long.MAX_VALUE) {
            return hear(null, true);
        }
        try {
            // Rounded up, so that nobody comes back before his time is over.
            return poll.await(TimeUnit.NANOSECONDS.toMillis(nanos + 999_999)) == 0 || hear(null, false);
        } catch (LinuxException e) {
            throw new PdException(e.errno(), "cannot sleep");
        }
    }

    private boolean hear(IntConsumer hints, boolean wait) {
        cookies = hints;
        crowded = false;
        int count = DoorbellMessage.receive(ear.fd(), rings, wait, CLOSER);
        crowded |= count > 1;
        // A bell that brings more than can be closed is taken out of use, with what is in it.
        return count >= 0 && !(abused && ACCOUNT.isFull());
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

    /** Nobody can ring it when this returns. What was sent and not heard goes with it later, on another thread. */
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
