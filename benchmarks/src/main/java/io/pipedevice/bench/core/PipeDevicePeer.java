// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.memory.RingBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.file.Path;
import java.util.stream.IntStream;

/**
 * PD Lib's blocking calls, through a driver process: messages are written and read in place. A message of more than
 * {@value #MAX_PIECE} bytes is sent in pieces of that size, so that the device copies one while the next is written.
 */
final class PipeDevicePeer implements Peer {
    /** A quarter of the largest ring. */
    private static final int MAX_PIECE = RingBuffer.MAX_SIZE / 4;

    private static final int MIN_READ = 64 << 10;

    private final PipeDevice device;
    private PdSocket listener;
    private int listenedSize;

    PipeDevicePeer(Path directory) throws IOException {
        device = PipeDevice.init(DriverDirectory.at(directory));
    }

    @Override
    public int listen(int size, int ring, int backlog) throws IOException {
        if (listener != null) {
            listener.close();
        }
        listenedSize = size;
        listener = socket(ring);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener.listen(backlog);
        return listener.localAddress().getPort();
    }

    @Override
    public Connection accept() throws IOException {
        return new Socket(listener.accept(PipeDevice.FOREVER), listenedSize);
    }

    @Override
    public Connection connect(int port, int size, int ring) throws IOException {
        PdSocket socket = socket(ring);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new Socket(socket, size);
    }

    private PdSocket socket(int ring) throws IOException {
        PdSocket socket = device.socket();
        socket.setOption(StandardSocketOptions.SO_SNDBUF, ring);
        socket.setOption(StandardSocketOptions.SO_RCVBUF, ring);
        return socket;
    }

    @Override
    public void close() throws IOException {
        device.close();
    }

    private static final class Socket implements Connection {
        private final PdSocket socket;
        private final int size;
        private final int longestRead;
        /** The pieces of a message. */
        private final PdBuffer[] out;

        private final PdBuffer in = new PdBuffer();

        Socket(PdSocket socket, int size) {
            this.socket = socket;
            this.size = size;
            this.longestRead = Math.max(MIN_READ, Math.min(size, MAX_PIECE));
            this.out = IntStream.range(0, (size + MAX_PIECE - 1) / MAX_PIECE)
                    .mapToObj(piece -> new PdBuffer())
                    .toArray(PdBuffer[]::new);
        }

        @Override
        public void send(Payload payload) throws IOException {
            for (int i = 0; i < out.length; i++) {
                int length = take(i);
                if (payload != null) {
                    payload.fill(out[i].memory(), out[i].offset(), length);
                }
                post(i);
            }
        }

        /** Takes a block of the ring for a piece; returns its length. */
        private int take(int piece) throws IOException {
            int length = lengthOf(piece);
            socket.malloc(length, out[piece], PipeDevice.FOREVER);
            return length;
        }

        private void post(int piece) throws IOException {
            socket.send(out[piece], lengthOf(piece), PipeDevice.FOREVER);
            socket.free(out[piece]);
        }

        private int lengthOf(int piece) {
            return Math.min(MAX_PIECE, size - piece * MAX_PIECE);
        }

        @Override
        public int receive(Payload payload) throws IOException {
            int length = receive(longestRead);
            if (length > 0) {
                if (payload != null) {
                    payload.read(in.memory(), in.offset(), length);
                }
                socket.recvDone(length);
            }
            return length;
        }

        private int receive(int most) throws IOException {
            int length;
            do {
                length = socket.recv(most, in, PipeDevice.FOREVER);
            } while (length == 0);
            return length;
        }

        @Override
        public boolean receiveMessage() throws IOException {
            for (int left = size; left > 0; ) {
                int length = receive(left);
                if (length < 0) {
                    return false;
                }
                socket.recvDone(length);
                left -= length;
            }
            return true;
        }

        /** Sends nothing back before the whole message is here, like the echo of TCP. */
        @Override
        public boolean echo() throws IOException {
            for (int i = 0; i < out.length; i++) {
                // before there is a message, because the end of the stream may come instead
                int length = receive(lengthOf(i));
                if (length < 0) {
                    return false;
                }
                int wanted = take(i);
                int copied = 0;
                while (true) {
                    MemorySegment.copy(in.memory(), in.offset(), out[i].memory(), out[i].offset() + copied, length);
                    socket.recvDone(length);
                    copied += length;
                    if (copied == wanted) {
                        break;
                    }
                    length = receive(wanted - copied);
                    if (length < 0) {
                        return false;
                    }
                }
            }
            for (int i = 0; i < out.length; i++) {
                post(i);
            }
            return true;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
