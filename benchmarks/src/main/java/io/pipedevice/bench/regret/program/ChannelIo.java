// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Reads and writes whole buffers by blocking channels. */
final class ChannelIo {
    private ChannelIo() {}

    /** Connects to a port of the loopback, with TCP_NODELAY. */
    static SocketChannel connect(int port) throws IOException {
        SocketChannel channel = SocketChannel.open(Loopback.at(port));
        try {
            return noDelay(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    static SocketChannel noDelay(SocketChannel channel) throws IOException {
        return channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    static void write(SocketChannel channel, ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
            channel.write(message);
        }
    }

    /** Fills a buffer; false at the end of the stream. */
    static boolean read(SocketChannel channel, ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
            if (channel.read(message) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Fills a buffer with an answer, without which the traffic cannot continue. */
    static void readAnswer(SocketChannel channel, ByteBuffer answer) throws IOException {
        if (!read(channel, answer)) {
            throw new EOFException("the server ended the connection");
        }
    }
}
