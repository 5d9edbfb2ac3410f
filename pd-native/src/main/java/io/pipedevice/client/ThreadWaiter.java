// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.FdParker;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.wait.ThreadBell;
import java.util.concurrent.TimeUnit;

/**
 * The three descriptors on which a thread sleeps: a doorbell that the driver rings, a flag that other threads of this
 * process raise, and the control connection, for its end. Doorbell and flag may be raised without need; the thread
 * looks again. After its thread has left, a waiter serves another one.
 */
final class ThreadWaiter implements ThreadBell, AutoCloseable {
    /** How many descriptors {@link #join} adds. */
    static final int DESCRIPTORS = 3;

    private static final int BELL = 0;
    private static final int FLAG = 1;
    private static final int CONTROL = 2;

    /** The doorbell's number, for arm words. */
    final int doorbell;

    private final ControlChannel control;
    private final UnixSocket bell;
    private final EventFd flag;
    private final Poll poll = new Poll(DESCRIPTORS);

    /** Of the virtual threads that sleep on this, one at a time; null before the first. */
    private FdParker parker;

    ThreadWaiter(ControlChannel control, int doorbell, UnixSocket bell, EventFd flag) {
        this.doorbell = doorbell;
        this.control = control;
        this.bell = bell;
        this.flag = flag;
        poll.add(bell.fd(), Poll.IN);
        poll.add(flag.fd(), Poll.IN);
        poll.add(control.socket().fd(), Poll.RDHUP);
    }

    /**
     * Sleeps for a {@link RingWait}. A virtual thread lets its carrier go, and does not notice the flag, which nothing
     * raises for such a wait.
     */
    @Override
    public boolean sleep(long nanos) throws PdException {
        if (Thread.currentThread().isVirtual()) {
            try {
                park(nanos);
            } catch (LinuxException e) {
                throw failure(e);
            }
        } else {
            block(nanos);
        }
        return true;
    }

    /** Sleeps until the doorbell or the flag is raised, and lowers both. A virtual thread keeps its carrier. */
    void block(long nanos) throws PdException {
        try {
            // Rounded up, so that the call does not return before the timeout. A timeout beyond the range of poll(2)
            // ends early, and the caller sleeps again.
            long millis = nanos == Long.MAX_VALUE ? -1 : TimeUnit.NANOSECONDS.toMillis(nanos + 999_999);
            if (poll.await(millis) > 0) {
                for (int i = CONTROL; i >= 0; i--) {
                    if (poll.returned(i) != 0) {
                        happened(i);
                    }
                }
            }
        } catch (LinuxException e) {
            throw failure(e);
        }
    }

    private PdException failure(LinuxException e) {
        return control.isBroken() ? control.ended() : PdException.wrap("cannot sleep", e);
    }

    /** Lets the carrier go. The doorbell ends with the driver, so it announces that end as well. */
    private void park(long nanos) throws LinuxException, PdException {
        if (parker == null) {
            parker = FdParker.open(bell.fd());
        }
        boolean interrupted = Thread.interrupted();
        try {
            parker.await(nanos);
            happened(BELL);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Lowers the descriptor that a wait has found raised. */
    void happened(int descriptor) throws PdException {
        if (descriptor == FLAG) {
            flag.drain();
        } else if (descriptor == CONTROL || bell.drain() < 0) {
            throw control.ended();
        }
    }

    /** Adds the descriptors to a wider wait, which they end as they would end the sleep here. */
    void join(Epoll set, long data) throws LinuxException {
        set.add(bell.fd(), Epoll.IN, data + BELL);
        set.add(flag.fd(), Epoll.IN, data + FLAG);
        set.add(control.socket().fd(), Epoll.RDHUP, data + CONTROL);
    }

    void part(Epoll set) {
        part(set, bell.fd());
        part(set, flag.fd());
        part(set, control.socket().fd());
    }

    private static void part(Epoll set, Fd fd) {
        try {
            set.remove(fd);
        } catch (LinuxException e) {
            // Closed, or never in it: not in it now.
            return;
        }
    }

    @Override
    public void signal() {
        flag.signal();
    }

    @Override
    public void close() {
        if (parker != null) {
            parker.close();
        }
        bell.close();
        flag.close();
    }
}
