// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

/**
 * An entry of the connection table (§3.4): two sockets. Its id is the conn id of Figure 6. Side 0 is the client; the
 * table id of a command names the sending side. Belongs to the driver's thread.
 */
final class Connection {
    final int id;
    final Endpoint client;
    final Endpoint server;

    Connection(int id, Endpoint client, Endpoint server) {
        this.id = id;
        this.client = client;
        this.server = server;
        join(client, server, 0);
        join(server, client, 1);
    }

    private void join(Endpoint endpoint, Endpoint peer, int side) {
        endpoint.connection = this;
        endpoint.peer = peer;
        endpoint.side = side;
    }

    Endpoint side(int tableId) {
        return tableId == 0 ? client : server;
    }
}
