// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The baseline: blocking channels of the JDK over TCP, direct buffers, TCP_NODELAY. */
final class TcpPeer implements Peer {
    private static final int MIN_READ = 64 << 10;

    private ServerSocketChannel listener;
    private int listenedSize;

    @Override
    public int listen(int size, int ring, int backlog) throws IOException {
        close();
        listenedSize = size;
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), backlog);
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    @Override
    public Connection accept() throws IOException {
        return new Channel(listener.accept(), listenedSize);
    }

    @Override
    public Connection connect(int port, int size, int ring) throws IOException {
        return new Channel(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)), size);
    }

    @Override
    public void close() throws IOException {
        if (listener != null) {
            listener.close();
        }
    }

    private static final class Channel implements Connection {
        private final SocketChannel channel;
        private final int size;
        private final ByteBuffer out;
        private final MemorySegment outMemory;
        private final ByteBuffer in;
        private final MemorySegment inMemory;

        Channel(SocketChannel channel, int size) throws IOException {
            this.channel = channel;
            this.size = size;
            this.out = ByteBuffer.allocateDirect(size);
            this.outMemory = MemorySegment.ofBuffer(out);
            this.in = ByteBuffer.allocateDirect(Math.max(MIN_READ, size));
            this.inMemory = MemorySegment.ofBuffer(in);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }

        @Override
        public void send(Payload payload) throws IOException {
            if (payload != null) {
                payload.fill(outMemory, 0, size);
            }
            write(out.clear());
        }

        private void write(ByteBuffer message) throws IOException {
            do {
                channel.write(message);
            } while (message.hasRemaining());
        }

        @Override
        public int receive(Payload payload) throws IOException {
            int length = channel.read(in.clear());
            if (length > 0 && payload != null) {
                payload.read(inMemory, 0, length);
            }
            return length;
        }

        @Override
        public boolean receiveMessage() throws IOException {
            in.clear().limit(size);
            do {
                if (channel.read(in) < 0) {
                    return false;
                }
            } while (in.hasRemaining());
            return true;
        }

        @Override
        public boolean echo() throws IOException {
            if (!receiveMessage()) {
                return false;
            }
            write(in.flip());
            return true;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
