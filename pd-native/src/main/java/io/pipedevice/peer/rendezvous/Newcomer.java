// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;

/** A client that has connected to a listener's Unix socket and said nothing yet. Guarded by its monitor. */
final class Newcomer {
    private final Greeter greeter;
    private final UnixSocket socket;
    private final DescriptorCloser closer;
    private FdWatch watch;
    private boolean gone;

    Newcomer(Greeter greeter, UnixSocket socket, DescriptorCloser closer) {
        this.greeter = greeter;
        this.socket = socket;
        this.closer = closer;
    }

    UnixSocket socket() {
        return socket;
    }

    /** Closes what it had a hand in. */
    DescriptorCloser closer() {
        return closer;
    }

    /** Waits for what it says. */
    synchronized void await() throws LinuxException {
        if (!gone) {
            watch = FdWatch.open(socket.fd(), Epoll.IN | Epoll.RDHUP | Epoll.ONESHOT, events -> speak());
        }
    }

    private void speak() {
        if (leave()) {
            greeter.spoke(this);
        }
    }

    /** It is not waited for any more, by the one caller that gets true. */
    private synchronized boolean leave() {
        if (gone) {
            return false;
        }
        gone = true;
        if (watch != null) {
            watch.close();
        }
        return true;
    }

    /** Sends it away, if it still has said nothing. */
    void dismiss() {
        if (leave()) {
            closer.close(socket);
            greeter.left(this);
        }
    }
}
