// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Sends each message out of several buffers by gathering writes. */
final class GatheringSource implements MessageSource {
    private static final int PARTS = 16;

    private final ByteBuffer[] parts = new ByteBuffer[PARTS];

    GatheringSource() {
        for (int i = 0; i < PARTS; i++) {
            parts[i] = ByteBuffer.allocateDirect(Messages.SIZE / PARTS);
        }
    }

    @Override
    public void send(SocketChannel channel, boolean last) throws IOException {
        for (ByteBuffer part : parts) {
            part.clear();
        }
        parts[0].put(0, last ? Messages.LAST : 0);
        while (parts[PARTS - 1].hasRemaining()) {
            channel.write(parts);
        }
    }
}
