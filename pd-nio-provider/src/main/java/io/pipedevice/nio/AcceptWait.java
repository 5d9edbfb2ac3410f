// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import java.util.concurrent.TimeUnit;

/**
 * Waits for a connection to a server, on the kernel or on rings. Belongs to the holder of the server's accept lock;
 * {@link #wake} is for any thread.
 */
final class AcceptWait implements AutoCloseable {
    /** A ring listener has no descriptor that this wait could share with the kernel's, so it is looked at in between. */
    private static final long LOOK_MILLIS = 10;

    private final EventFd flag;
    private final Poll poll = new Poll(2);

    /**
     * Prepares to wait.
     *
     * @param kernel descriptor of the listening kernel socket, which stays its channel's
     */
    AcceptWait(int kernel) throws LinuxException {
        flag = EventFd.open();
        poll.add(flag.fd(), Poll.IN);
        poll.add(Fd.own(kernel), Poll.IN);
    }

    /** Waits for a connection, or {@link #wake}, or a while. */
    void await(PdSocket rings, long timeoutNs) throws LinuxException {
        long millis = timeoutNs == Transport.FOREVER ? -1 : TimeUnit.NANOSECONDS.toMillis(timeoutNs + 999_999);
        poll.await(rings == null ? millis : millis < 0 ? LOOK_MILLIS : Math.min(millis, LOOK_MILLIS));
        if (poll.returned(0) != 0) {
            flag.drain();
        }
    }

    void wake() {
        flag.signal();
    }

    @Override
    public void close() {
        flag.close();
    }
}
