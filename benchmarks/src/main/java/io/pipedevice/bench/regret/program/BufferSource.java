// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Sends each message out of a buffer. */
final class BufferSource implements MessageSource {
    private final ByteBuffer message;

    BufferSource(ByteBuffer message) {
        this.message = message;
    }

    @Override
    public void send(SocketChannel channel, boolean last) throws IOException {
        message.clear().put(0, last ? Messages.LAST : 0);
        ChannelIo.write(channel, message);
    }
}
