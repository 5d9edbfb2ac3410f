// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Sends as many messages as a client asks for, again and again. */
final class Chunks {
    private Chunks() {}

    static void serve(SocketChannel channel) throws IOException {
        ByteBuffer request = ByteBuffer.allocateDirect(Integer.BYTES);
        ByteBuffer message = ByteBuffer.allocateDirect(Messages.SIZE);
        while (ChannelIo.read(channel, request.clear())) {
            for (int i = request.getInt(0); i > 0; i--) {
                ChannelIo.write(channel, message.clear());
            }
        }
    }
}
