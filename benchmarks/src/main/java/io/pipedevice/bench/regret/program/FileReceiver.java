// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;

/** Receives messages of {@link Chunks} by {@code FileChannel.transferFrom}. */
final class FileReceiver implements Client {
    private final FileChannel file = ScratchFile.open();
    private final SocketChannel channel;
    private final ByteBuffer request = ByteBuffer.allocateDirect(Integer.BYTES).putInt(0, ScratchFile.MESSAGES);

    FileReceiver(int port) throws IOException {
        channel = ChannelIo.connect(port);
    }

    @Override
    public long run(long nanos) throws IOException {
        long end = System.nanoTime() + nanos;
        long received = 0;
        do {
            ChannelIo.write(channel, request.clear());
            for (int i = 0; i < ScratchFile.MESSAGES; i++) {
                receive((long) i * Messages.SIZE);
            }
            received += ScratchFile.MESSAGES;
        } while (System.nanoTime() - end < 0);
        return received;
    }

    private void receive(long at) throws IOException {
        for (int done = 0; done < Messages.SIZE; ) {
            int count = (int) file.transferFrom(channel, at + done, Messages.SIZE - done);
            if (count == 0) {
                throw new EOFException("the server ended the connection");
            }
            done += count;
        }
    }

    @Override
    public void close() throws IOException {
        try (file) {
            channel.close();
        }
    }
}
