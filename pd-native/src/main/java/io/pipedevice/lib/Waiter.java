// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.UnixSocket;
import java.util.concurrent.TimeUnit;

/**
 * What a thread sleeps on: a doorbell that the driver rings, a flag that other threads of this process raise, and the
 * end of the control connection. The first two may be raised without need; the sleeper looks again. {@link #signal} is thread safe, the rest is the sleeper's.
 */
final class Waiter implements AutoCloseable {
    final int doorbell;
    private final ControlChannel control;
    private final UnixSocket bell;
    private final EventFd flag;
    private final Poll poll = new Poll(3);

    Waiter(ControlChannel control, int doorbell, UnixSocket bell, EventFd flag) {
        this.control = control;
        this.doorbell = doorbell;
        this.bell = bell;
        this.flag = flag;
        poll.add(bell.fd(), Poll.IN);
        poll.add(flag.fd(), Poll.IN);
        poll.add(control.socket().fd(), Poll.RDHUP);
    }

    /** Sleeps until doorbell or flag, or for some time, and lowers both. */
    void sleep(long nanos) throws PdException {
        try {
            // Rounded up, so that the caller does not come back before its time is over; what is longer than poll(2)
            // can
            // count ends early, and the caller sleeps again.
            long millis = nanos == Long.MAX_VALUE ? -1 : TimeUnit.NANOSECONDS.toMillis(nanos + 999_999);
            if (poll.await(millis) > 0) {
                boolean rung = poll.returned(0) != 0;
                if (poll.returned(2) != 0 || (rung && bell.drain() < 0)) {
                    throw control.ended();
                }
                if (poll.returned(1) != 0) {
                    flag.drain();
                }
            }
        } catch (LinuxException e) {
            throw control.isBroken() ? control.ended() : PdException.wrap("cannot sleep", e);
        }
    }

    /** Wakes the sleeper, or the next one. */
    void signal() {
        flag.signal();
    }

    @Override
    public void close() {
        bell.close();
        flag.close();
    }
}
