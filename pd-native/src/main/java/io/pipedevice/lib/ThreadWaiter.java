// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.UnixSocket;
import java.util.concurrent.TimeUnit;

/** For threads that may block in the kernel; has a doorbell of its own, and is used again after its thread has left. */
final class ThreadWaiter extends Waiter implements AutoCloseable {
    /** How many descriptors {@link #join} adds. */
    static final int DESCRIPTORS = 3;

    private static final int BELL = 0;
    private static final int FLAG = 1;
    private static final int CONTROL = 2;

    private final Waiters owner;
    private final ControlChannel control;
    private final UnixSocket bell;
    private final EventFd flag;
    private final Poll poll = new Poll(DESCRIPTORS);

    ThreadWaiter(Waiters owner, ControlChannel control, int doorbell, UnixSocket bell, EventFd flag) {
        super(doorbell);
        this.owner = owner;
        this.control = control;
        this.bell = bell;
        this.flag = flag;
        poll.add(bell.fd(), Poll.IN);
        poll.add(flag.fd(), Poll.IN);
        poll.add(control.socket().fd(), Poll.RDHUP);
    }

    @Override
    int armBits() {
        return 0;
    }

    @Override
    void sleep(long nanos) throws PdException {
        try {
            // Rounded up, so that the caller does not come back before its time is over; what is longer than poll(2)
            // can count ends early, and the caller sleeps again.
            long millis = nanos == Long.MAX_VALUE ? -1 : TimeUnit.NANOSECONDS.toMillis(nanos + 999_999);
            if (poll.await(millis) > 0) {
                for (int i = CONTROL; i >= 0; i--) {
                    if (poll.returned(i) != 0) {
                        happened(i);
                    }
                }
            }
        } catch (LinuxException e) {
            throw control.isBroken() ? control.ended() : PdException.wrap("cannot sleep", e);
        }
    }

    /** Lowers what a wait for one of the descriptors has found raised. */
    void happened(int descriptor) throws PdException {
        if (descriptor == FLAG) {
            flag.drain();
        } else if (descriptor == CONTROL || bell.drain() < 0) {
            throw control.ended();
        }
    }

    /** Lets a wait of somebody else's end by what would end this one's sleep. */
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
    void signal() {
        flag.signal();
    }

    @Override
    void leave() {
        owner.giveBack(this);
    }

    @Override
    public void close() {
        bell.close();
        flag.close();
    }
}
