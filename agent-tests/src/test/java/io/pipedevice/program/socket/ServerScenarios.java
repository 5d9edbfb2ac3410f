// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Server sockets. */
final class ServerScenarios {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private ServerScenarios() {}

    /** A server that accepts into a socket of a class of its own. */
    private static final class OwnServer extends ServerSocket {
        OwnServer() throws IOException {
            super(0, 5, LOOPBACK);
        }

        @Override
        public Socket accept() throws IOException {
            Socket own = new Socket() {
                @Override
                public String toString() {
                    return "own " + super.toString();
                }
            };
            implAccept(own);
            return own;
        }
    }

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new TreeMap<>();
        all.put("an accept times out, and the next succeeds", (ends, log) -> {
            try (ServerSocket server = new ServerSocket(0, 5, LOOPBACK)) {
                server.setSoTimeout(50);
                log.accept(Call.outcome(server::accept));
                log.accept("" + server.getSoTimeout() + server.isClosed());
                try (Socket client = new Socket(LOOPBACK, server.getLocalPort());
                        Socket accepted = server.accept()) {
                    client.getOutputStream().write(1);
                    log.accept("" + accepted.getInputStream().read() + accepted.getSoTimeout());
                    OptionScenarios.state(accepted, log);
                }
            }
        });
        for (boolean virtual : new boolean[] {false, true}) {
            String by = virtual ? ", virtual thread" : "";
            all.put("a close ends an accept" + by, (ends, log) -> {
                ServerSocket server = new ServerSocket(0, 5, LOOPBACK);
                Call accept = Call.blocked(virtual, server::accept);
                server.close();
                log.accept(accept.outcome());
                try (ServerSocket again = new ServerSocket(server.getLocalPort(), 5, LOOPBACK)) {
                    log.accept("" + again.isBound());
                }
            });
            all.put("an interrupt during an accept" + by, (ends, log) -> {
                try (ServerSocket server = new ServerSocket(0, 5, LOOPBACK)) {
                    Call accept = Call.blocked(virtual, () -> server.accept().isConnected())
                            .interrupt();
                    log.accept(accept.isBlocked(virtual));
                    log.accept("" + server.isClosed());
                    if (!virtual) {
                        new Socket(LOOPBACK, server.getLocalPort()).close();
                    }
                    log.accept(accept.outcome());
                }
            });
        }
        all.put("states and addresses", (ends, log) -> {
            ServerSocket server = new ServerSocket();
            log.accept("" + server.isBound() + server.isClosed() + server.getInetAddress() + server.getLocalPort()
                    + server.getLocalSocketAddress() + server.getChannel() + server);
            log.accept(Call.outcome(server::accept));
            log.accept("" + server.getReuseAddress() + server.getOption(StandardSocketOptions.SO_REUSEPORT));
            server.setReceiveBufferSize(50_000);
            log.accept("" + server.getReceiveBufferSize());
            log.accept(server.supportedOptions().stream()
                    .map(SocketOption::name)
                    .sorted()
                    .collect(Collectors.joining(" ")));
            server.setOption(StandardSocketOptions.IP_TOS, 16);
            log.accept("" + server.getOption(StandardSocketOptions.IP_TOS));
            log.accept(OptionScenarios.outcome(() -> server.setOption(StandardSocketOptions.IP_TOS, 256)));
            log.accept(OptionScenarios.outcome(() -> server.setOption(StandardSocketOptions.TCP_NODELAY, true)));
            server.bind(new InetSocketAddress(LOOPBACK, 0));
            log.accept(OptionScenarios.withoutPorts(server.isBound() + " " + server.getInetAddress()
                    + server.getLocalSocketAddress() + server + (server.getLocalPort() > 0)));
            log.accept(OptionScenarios.outcome(() -> server.bind(null)));
            server.close();
            log.accept(OptionScenarios.withoutPorts(server.isBound() + " " + server.isClosed() + server));
            log.accept(Call.outcome(server::accept));
            log.accept(Call.outcome(server::getSoTimeout));
            log.accept(OptionScenarios.outcome(() -> server.setReceiveBufferSize(1)));
        });
        all.put("a port that is taken", (ends, log) -> {
            try (ServerSocket server = new ServerSocket(0, 5, LOOPBACK)) {
                log.accept(Call.outcome(() -> new ServerSocket(server.getLocalPort(), 5, LOOPBACK)));
                log.accept(Call.outcome(() -> new ServerSocket(server.getLocalPort())));
            }
        });
        all.put("addresses that cannot be bound", (ends, log) -> {
            log.accept(Call.outcome(() -> new ServerSocket(0, 5, InetAddress.getByName("192.0.2.1"))));
            log.accept(Call.outcome(() -> new ServerSocket(-1)));
            log.accept(OptionScenarios.outcome(
                    () -> new ServerSocket().bind(InetSocketAddress.createUnresolved("nowhere.invalid", 1))));
        });
        all.put("the wildcard address", (ends, log) -> {
            try (ServerSocket server = new ServerSocket(0);
                    Socket client = new Socket("localhost", server.getLocalPort());
                    Socket accepted = server.accept()) {
                log.accept(OptionScenarios.withoutPorts(server.toString()));
                OptionScenarios.state(accepted, log);
                OptionScenarios.state(client, log);
            }
        });
        all.put("a server with sockets of a class of its own", (ends, log) -> {
            try (ServerSocket server = new OwnServer();
                    Socket client = new Socket(LOOPBACK, server.getLocalPort());
                    Socket accepted = server.accept()) {
                client.getOutputStream().write(3);
                log.accept(OptionScenarios.withoutPorts(accepted + " ")
                        + accepted.getInputStream().read());
            }
        });
        all.put("a closed server refuses, and resets its backlog", (ends, log) -> {
            ServerSocket server = new ServerSocket(0, 5, LOOPBACK);
            try (Socket client = new Socket(LOOPBACK, server.getLocalPort())) {
                server.close();
                log.accept(Call.outcome(() -> client.getInputStream().read()));
                log.accept(Call.outcome(() -> new Socket(LOOPBACK, server.getLocalPort())));
            }
        });
        all.put("many connections one after the other", (ends, log) -> {
            try (ServerSocket server = new ServerSocket(0, 50, LOOPBACK)) {
                int sum = 0;
                for (int i = 0; i < 200; i++) {
                    try (Socket client = new Socket(LOOPBACK, server.getLocalPort());
                            Socket accepted = server.accept()) {
                        client.getOutputStream().write(i);
                        sum += accepted.getInputStream().read();
                    }
                }
                log.accept("" + sum);
            }
        });
        return all;
    }
}
