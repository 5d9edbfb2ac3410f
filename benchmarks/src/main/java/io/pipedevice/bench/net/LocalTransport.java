// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A library, and the transport of its messages, between two processes of one network namespace. */
public enum LocalTransport implements NetTransport {
    /** The kernel's TCP over loopback. */
    TCP("java.nio, kernel TCP", "nio", "#666666"),

    /** PipeDevice, perhaps with a driver. */
    PIPEDEVICE("java.nio, PipeDevice", "nio", "#d55e00"),

    /** The sockets of java.net and their streams, on the kernel's TCP. */
    SOCKET_TCP("java.net, kernel TCP", "socket", "#999999"),

    /** The same with PipeDevice. */
    SOCKET_PIPEDEVICE("java.net, PipeDevice", "socket", "#aa4499"),

    /** Sockets of the file system. */
    UNIX("java.nio, Unix-domain sockets", "unix", "#0072b2"),

    /** Netty's transport on java.nio, with the kernel's TCP. */
    NETTY_TCP("Netty NIO, kernel TCP", "netty-nio", "#56b4e9"),

    /** The same with PipeDevice. */
    NETTY_PIPEDEVICE("Netty NIO, PipeDevice", "netty-nio", "#e69f00"),

    /** Netty's own transport on epoll. */
    NETTY_EPOLL("Netty epoll, kernel TCP", "netty-epoll", "#009e73"),

    /** Netty's own transport on io_uring. */
    NETTY_IO_URING("Netty io_uring, kernel TCP", "netty-io_uring", "#cc79a7"),

    /** Messages in shared memory, without sockets. */
    AERON("Aeron IPC", "aeron", "#117733");

    /** Netty would search for a network card's address, and warn where a namespace of its own has none. */
    static final String NETTY_MACHINE = "-Dio.netty.machineId=02:00:00:00:00:01";

    /** Rows of sockets of java.net that channels have too. */
    private static final Set<Row> ALSO_FOR_SOCKETS = EnumSet.of(
            Row.STREAM_64,
            Row.STREAM_1K,
            Row.STREAM_64K,
            Row.STREAM_1M,
            Row.PING_PONG_100,
            Row.PING_PONG_VIRTUAL,
            Row.CONNECT);

    private final String title;
    private final String stack;
    private final String colour;

    LocalTransport(String title, String stack, String colour) {
        this.title = title;
        this.stack = stack;
        this.colour = colour;
    }

    /** The same programs on kernel TCP. */
    LocalTransport onKernel() {
        return switch (this) {
            case PIPEDEVICE -> TCP;
            case SOCKET_PIPEDEVICE -> SOCKET_TCP;
            case NETTY_PIPEDEVICE -> NETTY_TCP;
            default -> this;
        };
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public String stack() {
        return stack;
    }

    @Override
    public String colour() {
        return colour;
    }

    @Override
    public boolean isOnPipeDevice() {
        return this == PIPEDEVICE || this == SOCKET_PIPEDEVICE || this == NETTY_PIPEDEVICE;
    }

    @Override
    public Optional<List<String>> driverFlags(NetOptions options) {
        // Without the path, the programs would be peers that the driver introduces.
        return options.driver() && isOnPipeDevice()
                ? Optional.of(List.of("-Dpipedevice.driver.path=device"))
                : Optional.empty();
    }

    @Override
    public Site site(Path scratch) {
        return new Loopback();
    }

    @Override
    public List<String> flags() {
        return switch (stack) {
            case "nio", "socket", "unix" -> List.of();
            case "aeron" ->
                List.of(
                        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow");
            default ->
                List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", NETTY_MACHINE);
        };
    }

    @Override
    public boolean runs(Row row) {
        return switch (this) {
            case TCP, PIPEDEVICE -> !row.isForSockets();
            case SOCKET_TCP, SOCKET_PIPEDEVICE -> row.isForSockets() || ALSO_FOR_SOCKETS.contains(row);
            case UNIX ->
                !row.isForSockets()
                        && row != Row.STREAM_64_GATHERED
                        && row != Row.PING_PONG_NO_SPIN
                        && row != Row.PROCESSES
                        && row != Row.FIRST_SECONDS
                        && row != Row.START_UP;
            case AERON ->
                !row.isForSockets()
                        && row != Row.STREAM_64_GATHERED
                        && row != Row.PING_PONG_NO_SPIN
                        && row != Row.PING_PONG_SELECTOR
                        && row != Row.PING_PONG_VIRTUAL
                        && (row.isStream() || row.isPingPong());
            default ->
                (row.isStream() && !row.isForSockets() && row != Row.STREAM_64_GATHERED)
                        || row == Row.PING_PONG_SELECTOR;
        };
    }
}
