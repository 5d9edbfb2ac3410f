// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import sun.nio.ch.DefaultSelectorProvider;

/** Client sockets, before and while they connect. */
final class ConnectScenarios {
    /** Has no host name. */
    private static final byte[] IPV6_LOOPBACK = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private ConnectScenarios() {}

    private static int freePort() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, LOOPBACK)) {
            return server.getLocalPort();
        }
    }

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new TreeMap<>();
        all.put("nothing listens", (ends, log) -> {
            int port = freePort();
            log.accept(Call.outcome(() -> new Socket(LOOPBACK, port)));
            Socket socket = new Socket();
            log.accept(OptionScenarios.outcome(() -> socket.connect(new InetSocketAddress(LOOPBACK, port), 1000)));
            OptionScenarios.state(socket, log);
            log.accept(OptionScenarios.outcome(() -> socket.connect(new InetSocketAddress(LOOPBACK, port))));
        });
        all.put("a socket that is not connected", (ends, log) -> {
            Socket socket = new Socket();
            OptionScenarios.state(socket, log);
            socket.setSoTimeout(100);
            log.accept("" + socket.getSoTimeout() + socket.getTcpNoDelay() + socket.getSoLinger());
            log.accept(Call.outcome(socket::getInputStream));
            log.accept(Call.outcome(socket::getOutputStream));
            log.accept(OptionScenarios.outcome(socket::shutdownInput));
            log.accept(OptionScenarios.outcome(() -> socket.sendUrgentData(1)));
            socket.bind(new InetSocketAddress(LOOPBACK, 0));
            OptionScenarios.state(socket, log);
            log.accept(OptionScenarios.outcome(() -> socket.bind(null)));
            socket.close();
            OptionScenarios.state(socket, log);
            log.accept(OptionScenarios.outcome(() -> socket.connect(new InetSocketAddress(LOOPBACK, 1))));
        });
        all.put("addresses that are not valid", (ends, log) -> {
            log.accept(OptionScenarios.outcome(
                    () -> new Socket().connect(InetSocketAddress.createUnresolved("nowhere.invalid", 1))));
            log.accept(OptionScenarios.outcome(() -> new Socket().connect(null)));
            log.accept(OptionScenarios.outcome(() -> new Socket().connect(new InetSocketAddress(LOOPBACK, 1), -1)));
            log.accept(OptionScenarios.outcome(() -> new Socket().connect(new InetSocketAddress(LOOPBACK, 0))));
            log.accept(OptionScenarios.outcome(
                    () -> new Socket().bind(new InetSocketAddress(InetAddress.getByName("192.0.2.1"), 0))));
        });
        all.put("a local address and port", (ends, log) -> {
            int from = freePort();
            try (ServerSocket server = new ServerSocket(0, 5, LOOPBACK);
                    Socket client = new Socket(LOOPBACK, server.getLocalPort(), LOOPBACK, from);
                    Socket accepted = server.accept()) {
                log.accept("" + (client.getLocalPort() == from) + (accepted.getPort() == from));
                OptionScenarios.state(client, log);
            }
        });
        all.put("no proxy", (ends, log) -> {
            try (ServerSocket server = new ServerSocket(0, 5, LOOPBACK);
                    Socket client = new Socket(Proxy.NO_PROXY)) {
                client.connect(server.getLocalSocketAddress(), 1000);
                try (Socket accepted = server.accept()) {
                    client.getOutputStream().write(9);
                    log.accept("" + accepted.getInputStream().read());
                    OptionScenarios.state(client, log);
                }
            }
        });
        all.put("a proxy that does not exist", (ends, log) -> {
            Proxy proxy = new Proxy(Proxy.Type.SOCKS, new InetSocketAddress(LOOPBACK, freePort()));
            log.accept(OptionScenarios.outcome(
                    () -> new Socket(proxy).connect(new InetSocketAddress("192.0.2.1", 80), 1000)));
        });
        all.put("the wildcard address means this host", (ends, log) -> {
            try (ServerSocket server = new ServerSocket(0);
                    Socket client = new Socket(InetAddress.getByName("0.0.0.0"), server.getLocalPort());
                    Socket accepted = server.accept()) {
                client.getOutputStream().write(4);
                log.accept("" + accepted.getInputStream().read() + client.getInetAddress());
            }
        });
        all.put("IPv6", (ends, log) -> {
            try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getByAddress(IPV6_LOOPBACK));
                    Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                    Socket accepted = server.accept()) {
                OptionScenarios.state(client, log);
                OptionScenarios.state(accepted, log);
                accepted.getOutputStream().write(4);
                log.accept("" + client.getInputStream().read());
            }
        });
        for (boolean virtual : new boolean[] {false, true}) {
            String by = virtual ? ", virtual thread" : "";
            all.put(
                    "a full backlog" + by,
                    (ends, log) -> withFullBacklog(server -> {
                        Socket late = new Socket();
                        log.accept(Call.blocked(
                                        virtual,
                                        () -> OptionScenarios.outcome(
                                                () -> late.connect(server.getLocalSocketAddress(), 200)))
                                .outcome());
                        log.accept("" + late.isClosed());
                        Socket closed = new Socket();
                        Call connect = Call.blocked(
                                virtual,
                                () -> OptionScenarios.outcome(() -> closed.connect(server.getLocalSocketAddress())));
                        log.accept(connect.isBlocked(false));
                        closed.close();
                        log.accept(connect.outcome());
                        Socket interrupted = new Socket();
                        Call other = Call.blocked(
                                virtual,
                                () -> OptionScenarios.outcome(
                                        () -> interrupted.connect(server.getLocalSocketAddress(), 400)));
                        log.accept(other.interrupt().outcome());
                    }));
            all.put("an interrupt before a connect" + by, (ends, log) -> {
                try (ServerSocket server = new ServerSocket(0, 5, LOOPBACK)) {
                    log.accept(Call.blocked(virtual, () -> {
                                Thread.currentThread().interrupt();
                                try (Socket client = new Socket(LOOPBACK, server.getLocalPort())) {
                                    return "connected " + client.isConnected();
                                }
                            })
                            .outcome());
                }
            });
        }
        return all;
    }

    /** What is done with a server. */
    @FunctionalInterface
    private interface ServerUse {
        void accept(ServerSocket server) throws Exception;
    }

    /** A server of the kernel's that does not accept, and whose backlog is full. */
    private static void withFullBacklog(ServerUse use) throws Exception {
        List<SocketChannel> waiting = new ArrayList<>();
        try (ServerSocketChannel server = DefaultSelectorProvider.get().openServerSocketChannel()) {
            server.bind(new InetSocketAddress(LOOPBACK, 0), 1);
            for (int i = 0; i < 2; i++) {
                SocketChannel client = DefaultSelectorProvider.get().openSocketChannel();
                waiting.add(client);
                client.connect(server.getLocalAddress());
            }
            use.accept(server.socket());
        } finally {
            for (SocketChannel each : waiting) {
                each.close();
            }
        }
    }
}
