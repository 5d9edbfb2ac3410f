// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The stream that {@link PdSocketAdaptor#getInputStream} returns. Its close closes the channel. */
final class ChannelInputStream extends InputStream {
    private final PdSocketChannel channel;
    private final PdSocketAdaptor socket;

    ChannelInputStream(PdSocketChannel channel, PdSocketAdaptor socket) {
        this.channel = channel;
        this.socket = socket;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        return length == 0 ? 0 : channel.reader().read(target, offset, length, socket.timeoutNs());
    }

    @Override
    public int available() throws IOException {
        return channel.reader().available();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
