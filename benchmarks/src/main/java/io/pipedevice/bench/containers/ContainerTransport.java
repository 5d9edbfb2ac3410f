// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.containers;

import io.pipedevice.bench.net.NetOptions;
import io.pipedevice.bench.net.NetTransport;
import io.pipedevice.bench.net.Row;
import io.pipedevice.bench.net.Site;
import io.pipedevice.bench.net.UnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What carries messages of java.nio between two network namespaces; and, to compare, within one. */
public enum ContainerTransport implements NetTransport {
    /** The kernel's TCP over a bridge of veth pairs. */
    TCP("kernel TCP over the bridge", "#666666"),

    /** The same, but data go from socket to socket, by an eBPF program. */
    SOCKMAP("sockmap (eBPF) between the namespaces", "#0072b2"),

    /** Both programs in one namespace, without a driver. */
    PEERS("PipeDevice, peers in one namespace", "#009e73"),

    /** A driver introduces the programs, which then map each other's rings. */
    DIRECT("PipeDevice, direct path", "#d55e00"),

    /** A driver copies. */
    DEVICE("PipeDevice, device path", "#cc79a7");

    private final String title;
    private final String colour;

    ContainerTransport(String title, String colour) {
        this.title = title;
        this.colour = colour;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public String stack() {
        return "nio";
    }

    @Override
    public String colour() {
        return colour;
    }

    @Override
    public boolean isOnPipeDevice() {
        return this == PEERS || this == DIRECT || this == DEVICE;
    }

    @Override
    public List<String> flags() {
        return List.of();
    }

    @Override
    public Optional<List<String>> driverFlags(NetOptions options) {
        return switch (this) {
            case DIRECT, DEVICE -> Optional.of(List.of("-Dpipedevice.driver.path=" + name().toLowerCase(Locale.ROOT)));
            default -> Optional.empty();
        };
    }

    /** What is not accelerated is the same with any path, and a program without a driver asks nobody. */
    @Override
    public boolean runs(Row row) {
        return switch (row) {
            case CONNECT_PLAIN_SERVER, CONNECT_PLAIN_SERVERS, CONNECT_DRIVER_AWAY -> this == TCP || this == DIRECT;
            default -> true;
        };
    }

    @Override
    public Site site(Path scratch) throws IOException, InterruptedException, UnavailableException {
        return switch (this) {
            case SOCKMAP -> Sockmap.make(scratch);
            case PEERS -> Bridge.make(true);
            default -> Bridge.make(false);
        };
    }
}
