// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/** TCP over IPv4 by the sockets of java.net and their streams. */
final class StreamSockets implements BlockingSockets<ServerSocket, StreamSockets.Connection> {
    private final String host;
    private final boolean buffered;

    /**
     * Sockets.
     *
     * @param buffered whether programs read and write through buffers of the usual size
     */
    StreamSockets(String host, boolean buffered) {
        this.host = host;
        this.buffered = buffered;
    }

    @Override
    public ServerSocket listen() throws IOException {
        return new ServerSocket(0, BACKLOG, InetAddress.getByName(host));
    }

    @Override
    public String address(ServerSocket server) {
        return host + ":" + server.getLocalPort();
    }

    @Override
    public Connection accept(ServerSocket server) throws IOException {
        return new Connection(server.accept(), buffered);
    }

    @Override
    public Connection connect(String address) throws IOException {
        Target target = new Target(address);
        Socket socket = new Socket();
        try {
            socket.connect(target.next());
            return new Connection(socket, buffered);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public void noDelay(Connection connection) throws IOException {
        connection.socket.setTcpNoDelay(true);
    }

    @Override
    public Memory memory() {
        return Memory.HEAP;
    }

    /** The streams of a socket, one read or write of a stream for each call. */
    static final class Connection implements ByteChannel {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;

        Connection(Socket socket, boolean buffered) throws IOException {
            this.socket = socket;
            InputStream plainIn = socket.getInputStream();
            OutputStream plainOut = socket.getOutputStream();
            in = buffered ? new BufferedInputStream(plainIn) : plainIn;
            out = buffered ? new BufferedOutputStream(plainOut) : plainOut;
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            int count = in.read(target.array(), target.arrayOffset() + target.position(), target.remaining());
            if (count > 0) {
                target.position(target.position() + count);
            }
            return count;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            int count = source.remaining();
            out.write(source.array(), source.arrayOffset() + source.position(), count);
            source.position(source.limit());
            return count;
        }

        @Override
        public boolean isOpen() {
            return !socket.isClosed();
        }

        @Override
        public void close() throws IOException {
            try (socket) {
                out.flush();
            }
        }
    }
}
