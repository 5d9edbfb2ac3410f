// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.file.Path;

/** PD Lib's blocking calls, through a driver process: messages are written and read in place. */
final class PipeDevicePeer implements Peer {
    private static final int MIN_READ = 64 << 10;

    private final PipeDevice device;
    private PdSocket listener;
    private int listenedSize;

    PipeDevicePeer(Path directory) throws IOException {
        device = PipeDevice.init(DriverDirectory.at(directory));
    }

    @Override
    public int listen(int size, int ring) throws IOException {
        if (listener != null) {
            listener.close();
        }
        listenedSize = size;
        listener = socket(ring);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener.listen(1);
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
        private final PdBuffer out = new PdBuffer();
        private final PdBuffer in = new PdBuffer();

        Socket(PdSocket socket, int size) {
            this.socket = socket;
            this.size = size;
            this.longestRead = Math.max(MIN_READ, size);
        }

        @Override
        public void send(Payload payload) throws IOException {
            socket.malloc(size, out, PipeDevice.FOREVER);
            if (payload != null) {
                payload.fill(out.memory(), out.offset(), size);
            }
            socket.send(out, size, PipeDevice.FOREVER);
            socket.free(out);
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

        @Override
        public boolean echo() throws IOException {
            int length = receive(size);
            if (length < 0) {
                return false;
            }
            socket.malloc(size, out, PipeDevice.FOREVER);
            int copied = 0;
            while (true) {
                MemorySegment.copy(in.memory(), in.offset(), out.memory(), out.offset() + copied, length);
                socket.recvDone(length);
                copied += length;
                if (copied == size) {
                    break;
                }
                length = receive(size - copied);
                if (length < 0) {
                    return false;
                }
            }
            socket.send(out, size, PipeDevice.FOREVER);
            socket.free(out);
            return true;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
