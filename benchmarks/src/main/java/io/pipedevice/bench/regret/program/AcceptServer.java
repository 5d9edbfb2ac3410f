// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** Accepts all connections by one thread and a selector, and closes each at once. */
final class AcceptServer extends SelectorServer {
    AcceptServer() throws IOException {}

    @Override
    void accepted(SocketChannel channel) throws IOException {
        channel.close();
    }

    @Override
    void ready(SocketChannel channel) {
        throw new IllegalStateException("no connection is registered");
    }
}
