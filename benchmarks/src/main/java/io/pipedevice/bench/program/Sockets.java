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

/** The two families of stream sockets in java.nio. Connections are blocking channels. */
interface Sockets extends BlockingSockets<ServerSocketChannel, SocketChannel> {
    @Override
    default SocketChannel accept(ServerSocketChannel server) throws IOException {
        return server.accept();
    }

    @Override
    default Memory memory() {
        return Memory.DIRECT;
    }

    /** TCP over IPv4. */
    final class Inet implements Sockets {
        private final String host;

        /** The target of the last connection; any thread replaces it. */
        private volatile Target target;

        /** Listens at any address if {@code host} is not on loopback. */
        Inet(String host) {
            this.host = host;
        }

        @Override
        public ServerSocketChannel listen() throws IOException {
            InetAddress address = InetAddress.getByName(host);
            InetSocketAddress local =
                    address.isLoopbackAddress() ? new InetSocketAddress(address, 0) : new InetSocketAddress(0);
            return ServerSocketChannel.open().bind(local, BACKLOG);
        }

        @Override
        public String address(ServerSocketChannel server) throws IOException {
            return host + ":" + ((InetSocketAddress) server.getLocalAddress()).getPort();
        }

        @Override
        public SocketChannel connect(String address) throws IOException {
            Target its = target;
            if (its == null || !its.text.equals(address)) {
                its = new Target(address);
                target = its;
            }
            return SocketChannel.open(its.next());
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
