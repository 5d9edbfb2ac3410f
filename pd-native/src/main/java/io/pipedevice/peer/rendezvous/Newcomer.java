// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.ConnectionRule;

/** A client of a listener that has a Unix socket to it and has not sent a message yet. Guarded by its monitor. */
final class Newcomer {
    private final Host host;
    private final UnixSocket socket;
    private final UnixSocket.Credentials credentials;
    private final DescriptorCloser closer;
    private final ConnectionRule rule;
    private FdWatch watch;
    private boolean gone;

    /** The owner of newcomers. Called by the watching thread, and by the thread that dismisses one. */
    interface Host {
        /** A newcomer has sent something, or has gone. */
        void spoke(Newcomer newcomer);

        /** A newcomer was dismissed, and its socket is closed. */
        void left(Newcomer newcomer);
    }

    Newcomer(
            Host host,
            UnixSocket socket,
            UnixSocket.Credentials credentials,
            DescriptorCloser closer,
            ConnectionRule rule) {
        this.rule = rule;
        this.host = host;
        this.socket = socket;
        this.credentials = credentials;
        this.closer = closer;
    }

    UnixSocket socket() {
        return socket;
    }

    /** The credentials of its process: as the kernel says, or the driver that has introduced it. */
    UnixSocket.Credentials credentials() {
        return credentials;
    }

    /** Which connections the listener takes from this client. */
    ConnectionRule rule() {
        return rule;
    }

    /** Closes descriptors that the client has sent or can use. */
    DescriptorCloser closer() {
        return closer;
    }

    /** Starts watching for a message of the client. */
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

    /** Stops watching the client. True for the first caller only. */
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

    /** Closes the client's socket, unless the client has sent something. */
    void dismiss() {
        if (leave()) {
            closer.close(socket);
            host.left(this);
        }
    }
}
