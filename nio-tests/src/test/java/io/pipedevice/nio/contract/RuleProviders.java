// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.nio.PipeDeviceSelectorProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingDeque;

/**
 * Clients with rules for Unix-domain sockets, and servers that listen there in the place of TCP. The rules are made
 * before the first client, so there are a few ports for all tests, one for each server that is open.
 */
final class RuleProviders {
    private static final int PORTS = 32;
    private static final LinkedBlockingDeque<ServerSocketChannel> FREE = new LinkedBlockingDeque<>();
    private static final Path DIRECTORY;

    static final SelectorProvider CLIENT;
    static final SelectorProvider SERVER = new Servers();

    static {
        try {
            DIRECTORY = Files.createTempDirectory("rules");
            DIRECTORY.toFile().deleteOnExit();
            List<String> rules = new ArrayList<>();
            for (int i = 0; i < PORTS; i++) {
                ServerSocketChannel port =
                        Providers.JDK.openServerSocketChannel().bind(Contract.loopback(0));
                FREE.add(port);
                rules.add("localhost:" + number(port) + "=" + path(number(port)));
            }
            System.setProperty("pipedevice.unix", String.join(",", rules));
            CLIENT = new PipeDeviceSelectorProvider();
            System.clearProperty("pipedevice.unix");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private RuleProviders() {}

    private static int number(ServerSocketChannel port) throws IOException {
        return ((InetSocketAddress) port.getLocalAddress()).getPort();
    }

    private static Path path(int number) {
        return DIRECTORY.resolve("s" + number);
    }

    private static final class Servers extends SelectorProvider {
        @Override
        public ServerSocketChannel openServerSocketChannel() throws IOException {
            return new Server(this);
        }

        @Override
        public SocketChannel openSocketChannel() throws IOException {
            return Providers.JDK.openSocketChannel();
        }

        @Override
        public DatagramChannel openDatagramChannel() throws IOException {
            return Providers.JDK.openDatagramChannel();
        }

        @Override
        public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
            return Providers.JDK.openDatagramChannel(family);
        }

        @Override
        public Pipe openPipe() throws IOException {
            return Providers.JDK.openPipe();
        }

        @Override
        public AbstractSelector openSelector() throws IOException {
            return Providers.JDK.openSelector();
        }
    }

    private static final class Server extends ServerSocketChannel {
        private final ServerSocketChannel unix;
        private volatile ServerSocketChannel port;

        Server(SelectorProvider provider) throws IOException {
            super(provider);
            unix = Providers.JDK.openServerSocketChannel(StandardProtocolFamily.UNIX);
        }

        @Override
        public ServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
            port = FREE.pop();
            Files.deleteIfExists(path(number(port)));
            unix.bind(UnixDomainSocketAddress.of(path(number(port))), backlog);
            return this;
        }

        @Override
        public SocketChannel accept() throws IOException {
            return unix.accept();
        }

        @Override
        public SocketAddress getLocalAddress() throws IOException {
            return port == null ? null : port.getLocalAddress();
        }

        @Override
        public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
            return this;
        }

        @Override
        public <T> T getOption(SocketOption<T> name) throws IOException {
            return unix.getOption(name);
        }

        @Override
        public Set<SocketOption<?>> supportedOptions() {
            return unix.supportedOptions();
        }

        @Override
        public ServerSocket socket() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void implCloseSelectableChannel() throws IOException {
            unix.close();
            if (port != null) {
                Files.deleteIfExists(path(number(port)));
                FREE.add(port);
            }
        }

        @Override
        protected void implConfigureBlocking(boolean block) throws IOException {
            unix.configureBlocking(block);
        }
    }
}
