// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** Echoes on any number of connections by one thread and a selector. */
final class SelectorEcho extends SelectorServer {
    private final ByteBuffer message = ByteBuffer.allocateDirect(ChannelEcho.SIZE);

    SelectorEcho() throws IOException {}

    @Override
    void accepted(SocketChannel channel) throws IOException {
        ChannelIo.noDelay(channel).configureBlocking(false).register(selector, SelectionKey.OP_READ);
    }

    /** A message is small, and its sender waits for it, so that there is always room for it. */
    @Override
    void ready(SocketChannel channel) throws IOException {
        if (channel.read(message.clear()) < 0) {
            channel.close();
            return;
        }
        ChannelIo.write(channel, message.flip());
    }
}
