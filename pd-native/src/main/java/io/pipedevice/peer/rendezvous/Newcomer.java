// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;

/** A client that has connected to a listener's Unix socket and said nothing yet. Guarded by its monitor. */
final class Newcomer {
    private final Host host;
    private final UnixSocket socket;
    private final DescriptorCloser closer;
    private FdWatch watch;
    private boolean gone;

    /** Waits for newcomers. Called by the watching thread, and by the thread that dismisses one. */
    interface Host {
        /** A newcomer has sent something, or has gone. */
        void spoke(Newcomer newcomer);

        /** A newcomer was dismissed, and is closed. */
        void left(Newcomer newcomer);
    }

    Newcomer(Host host, UnixSocket socket, DescriptorCloser closer) {
        this.host = host;
        this.socket = socket;
        this.closer = closer;
    }

    UnixSocket socket() {
        return socket;
    }

    /** Closes descriptors that it has sent or can use. */
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
            host.spoke(this);
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
            host.left(this);
        }
    }
}
