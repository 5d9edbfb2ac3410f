// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** Two connected channels: the one that connected and the one that was accepted. */
record Connection(SocketChannel client, SocketChannel server) {
    /** One of the two ends and its peer, so that a test can look at a connection from either side. */
    Connection turned() {
        return new Connection(/* client= */ server, /* server= */ client);
    }

    void configureBlocking(boolean block) throws IOException {
        client.configureBlocking(block);
        server.configureBlocking(block);
    }
}
