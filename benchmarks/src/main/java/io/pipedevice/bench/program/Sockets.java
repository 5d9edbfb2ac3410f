// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** The two families of stream sockets in java.nio. */
interface Sockets {
    /** More than the number of clients that connect at a time. */
    int BACKLOG = 1024;

    ServerSocketChannel listen() throws IOException;

    String address(ServerSocketChannel server) throws IOException;

    /** A blocking channel. */
    SocketChannel connect(String address) throws IOException;

    /** Sets TCP_NODELAY, if the family has it. */
    void noDelay(SocketChannel channel) throws IOException;

    /** TCP on loopback. */
    final class Inet implements Sockets {
        @Override
        public ServerSocketChannel listen() throws IOException {
            return ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        }

        @Override
        public String address(ServerSocketChannel server) throws IOException {
            return Integer.toString(((InetSocketAddress) server.getLocalAddress()).getPort());
        }

        @Override
        public SocketChannel connect(String address) throws IOException {
            return SocketChannel.open(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address)));
        }

        @Override
        public void noDelay(SocketChannel channel) throws IOException {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
    }

    /** Unix-domain sockets. */
    final class Unix implements Sockets {
        private final Path directory;
        private int servers;

        Unix(Path directory) {
            this.directory = directory;
        }

        @Override
        public ServerSocketChannel listen() throws IOException {
            return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                    .bind(UnixDomainSocketAddress.of(directory.resolve("socket-" + servers++)), BACKLOG);
        }

        @Override
        public String address(ServerSocketChannel server) throws IOException {
            return ((UnixDomainSocketAddress) server.getLocalAddress())
                    .getPath()
                    .toString();
        }

        @Override
        public SocketChannel connect(String address) throws IOException {
            return SocketChannel.open(UnixDomainSocketAddress.of(address));
        }

        @Override
        public void noDelay(SocketChannel channel) {
            // These sockets send without delay anyway.
        }
    }
}
