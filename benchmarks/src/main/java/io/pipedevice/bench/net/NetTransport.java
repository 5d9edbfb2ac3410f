// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.List;

/** A library, and what carries its messages. */
enum NetTransport {
    TCP("java.nio, kernel TCP", "nio", false, List.of()),
    PIPEDEVICE("java.nio, PipeDevice", "nio", true, List.of()),
    UNIX("java.nio, Unix-domain sockets", "unix", false, List.of()),
    NETTY_TCP("Netty NIO, kernel TCP", "netty-nio", false, Flags.NETTY),
    NETTY_PIPEDEVICE("Netty NIO, PipeDevice", "netty-nio", true, Flags.NETTY),
    NETTY_EPOLL("Netty epoll, kernel TCP", "netty-epoll", false, Flags.NETTY),
    NETTY_IO_URING("Netty io_uring, kernel TCP", "netty-io_uring", false, Flags.NETTY),
    AERON("Aeron IPC", "aeron", false, Flags.AERON);

    private final String title;
    private final String stack;
    private final boolean onPipeDevice;
    private final List<String> flags;

    NetTransport(String title, String stack, boolean onPipeDevice, List<String> flags) {
        this.title = title;
        this.stack = stack;
        this.onPipeDevice = onPipeDevice;
        this.flags = flags;
    }

    /** What the libraries ask for, so that they do what they can and do not warn. */
    private static final class Flags {
        private static final List<String> NETTY = List.of(
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                // it looks for one, which a namespace of its own does not have
                "-Dio.netty.machineId=02:00:00:00:00:01");
        private static final List<String> AERON = List.of(
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/java.util.zip=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow");
    }

    String title() {
        return title;
    }

    /** As the programs name it. */
    String stack() {
        return stack;
    }

    /** Whether its connections are to be accelerated. */
    boolean isOnPipeDevice() {
        return onPipeDevice;
    }

    /** Flags for its JVMs. */
    List<String> flags() {
        return flags;
    }

    boolean runs(Row row) {
        return switch (this) {
            case TCP, PIPEDEVICE -> true;
            case UNIX -> row != Row.STREAM_64_GATHERED && row != Row.PING_PONG_NO_SPIN;
            case AERON ->
                row != Row.STREAM_64_GATHERED
                        && row != Row.PING_PONG_NO_SPIN
                        && row != Row.PING_PONG_SELECTOR
                        && (row.isStream() || row.isPingPong());
            default -> (row.isStream() && row != Row.STREAM_64_GATHERED) || row == Row.PING_PONG_SELECTOR;
        };
    }
}
