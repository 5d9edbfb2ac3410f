// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program.socket;

import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import jdk.net.ExtendedSocketOptions;

/** Options and addresses of a connected socket. */
final class OptionScenarios {
    private OptionScenarios() {}

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new TreeMap<>();
        all.put("flags", (ends, log) -> {
            Socket socket = ends.tested();
            for (int i = 0; i < 2; i++) {
                log.accept("" + socket.getTcpNoDelay() + socket.getKeepAlive() + socket.getReuseAddress()
                        + socket.getOOBInline());
                socket.setTcpNoDelay(true);
                socket.setKeepAlive(true);
                socket.setReuseAddress(true);
                socket.setOOBInline(true);
            }
        });
        all.put("linger", (ends, log) -> {
            Socket socket = ends.tested();
            log.accept("" + socket.getSoLinger());
            socket.setSoLinger(true, 7);
            log.accept("" + socket.getSoLinger());
            socket.setSoLinger(true, 100_000);
            log.accept("" + socket.getSoLinger());
            socket.setSoLinger(false, 5);
            log.accept("" + socket.getSoLinger());
            log.accept(outcome(() -> socket.setSoLinger(true, -1)));
        });
        all.put("sizes, class and timeout", (ends, log) -> {
            Socket socket = ends.tested();
            socket.setSendBufferSize(100_000);
            socket.setReceiveBufferSize(100_000);
            log.accept("" + socket.getSendBufferSize() + " " + socket.getReceiveBufferSize());
            socket.setTrafficClass(0x10);
            log.accept("" + socket.getTrafficClass());
            log.accept(outcome(() -> socket.setSendBufferSize(0)));
            log.accept(outcome(() -> socket.setTrafficClass(256)));
            log.accept(outcome(() -> socket.setSoTimeout(-1)));
            log.accept("" + socket.getSoTimeout());
        });
        all.put("options by name", (ends, log) -> {
            Socket socket = ends.tested();
            log.accept(socket.supportedOptions().stream()
                    .map(SocketOption::name)
                    .sorted()
                    .collect(Collectors.joining(" ")));
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            log.accept("" + socket.getOption(StandardSocketOptions.TCP_NODELAY));
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 77);
            log.accept("" + socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE));
            socket.setOption(StandardSocketOptions.SO_LINGER, 3);
            log.accept("" + socket.getOption(StandardSocketOptions.SO_LINGER));
            log.accept(outcome(() -> socket.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 3)));
            log.accept(Call.outcome(() -> socket.getOption(StandardSocketOptions.IP_MULTICAST_LOOP)));
            log.accept(outcome(() -> socket.setOption(null, 1)));
            log.accept(outcome(() -> socket.setOption(StandardSocketOptions.SO_SNDBUF, null)));
            log.accept(outcome(() -> socket.setOption(StandardSocketOptions.SO_SNDBUF, -1)));
        });
        all.put("addresses and state", (ends, log) -> {
            Socket socket = ends.tested();
            state(socket, log);
            log.accept("" + (socket.getPort() == ends.peer().getLocalPort())
                    + (socket.getLocalPort() == ends.peer().getPort()));
            log.accept(Call.outcome(() -> {
                socket.connect(ends.peer().getLocalSocketAddress());
                return "connected";
            }));
            socket.close();
            state(socket, log);
            socket.close();
        });
        all.put("calls after close", (ends, log) -> {
            Socket socket = ends.tested();
            socket.close();
            log.accept(Call.outcome(socket::getSoTimeout));
            log.accept(Call.outcome(socket::getTcpNoDelay));
            log.accept(outcome(() -> socket.setKeepAlive(true)));
            log.accept(Call.outcome(socket::getInputStream));
            log.accept(Call.outcome(() -> socket.getOption(StandardSocketOptions.SO_RCVBUF)));
            log.accept(outcome(() -> socket.sendUrgentData(1)));
            log.accept(outcome(socket::shutdownInput));
            log.accept(outcome(() -> socket.bind(null)));
        });
        return all;
    }

    /** A call without a result. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    static String outcome(Action action) {
        return Call.outcome(() -> {
            action.run();
            return "done";
        });
    }

    /** Logs what the socket says of itself, without its ports. */
    static void state(Socket socket, Consumer<String> log) {
        log.accept("" + socket.isBound() + socket.isConnected() + socket.isClosed() + socket.isInputShutdown()
                + socket.isOutputShutdown());
        log.accept(socket.getInetAddress() + " " + socket.getLocalAddress() + " " + socket.getChannel());
        log.accept(withoutPorts(socket.getRemoteSocketAddress() + " " + socket.getLocalSocketAddress() + " " + socket));
    }

    static String withoutPorts(String text) {
        return text.replaceAll("(port=|:)[1-9][0-9]+", "$1P");
    }
}
