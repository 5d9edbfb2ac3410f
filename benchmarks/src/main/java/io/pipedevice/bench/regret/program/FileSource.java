// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;

/** Sends messages by {@code FileChannel.transferTo}; the last one of a turn, which differs, out of a buffer. */
final class FileSource implements MessageSource {
    private final FileChannel file = ScratchFile.open();
    private final BufferSource lastMessage = new BufferSource(ByteBuffer.allocateDirect(Messages.SIZE));
    private int next;

    FileSource() throws IOException {}

    @Override
    public void send(SocketChannel channel, boolean last) throws IOException {
        if (last) {
            lastMessage.send(channel, true);
            return;
        }
        long from = (long) next * Messages.SIZE;
        for (int sent = 0; sent < Messages.SIZE; ) {
            sent += (int) file.transferTo(from + sent, Messages.SIZE - sent, channel);
        }
        next = (next + 1) % ScratchFile.MESSAGES;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
