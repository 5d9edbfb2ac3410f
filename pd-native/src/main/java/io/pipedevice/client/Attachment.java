// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdOptions;

/** An attachment to a driver: its session, its sockets, and their end. Thread safe. */
final class Attachment implements AutoCloseable {
    private final int cid;
    private final DriverSession session;
    private final SocketTable<SocketCore> sockets;
    private final SocketControl socketControl;

    Attachment(Link link, ControlChannel control, Pages pages, int cid, PdOptions options) {
        this.cid = cid;
        this.sockets = new SocketTable<>(pages.maxSockets);
        this.session = new DriverSession(link, control, pages, sockets, options);
        this.socketControl = new SocketControl(session, sockets);
    }

    int cid() {
        return cid;
    }

    DriverSession session() {
        return session;
    }

    SocketControl socketControl() {
        return socketControl;
    }

    /** Closes all sockets and epoll instances, then detaches and frees everything. */
    @Override
    public void close() {
        closeSockets();
        session.waitSets().closeAll();
        session.control().lock();
        try {
            // A socket that was opened or accepted while the others were closed.
            closeSockets();
            session.close();
        } finally {
            session.control().unlock();
        }
    }

    private void closeSockets() {
        // Waits for the end of each close: one that another thread has begun must be over before the memory goes.
        sockets.forEach(socket -> socketControl.closeWholly(socket, socket.options.abortsOnClose()));
    }
}
