// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** The stream that {@link PdSocketAdaptor#getOutputStream} returns. Its close closes the channel. */
final class ChannelOutputStream extends OutputStream {
    private final PdSocketChannel channel;

    ChannelOutputStream(PdSocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        if (length > 0) {
            channel.writer().writeFully(source, offset, length);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
