// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;

/** A client that has connected to a listener's Unix socket and said nothing yet. Guarded by its monitor. */
final class Newcomer {
    private final Greeter greeter;
    private final UnixSocket socket;
    private final Disposal disposal;
    private FdWatch watch;
    private boolean gone;

    Newcomer(Greeter greeter, UnixSocket socket, Disposal disposal) {
        this.greeter = greeter;
        this.socket = socket;
        this.disposal = disposal;
    }

    /** Waits for what it says. */
    synchronized void await() throws LinuxException {
        if (!gone) {
            watch = FdWatch.open(socket.fd(), Epoll.IN | Epoll.RDHUP | Epoll.ONESHOT, events -> speak());
        }
    }

    private void speak() {
        if (leave()) {
            greeter.hear(this, socket);
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
            disposal.close(socket);
            greeter.left(this);
        }
    }
}
