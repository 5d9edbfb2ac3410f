// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.paper;

import io.pipedevice.bench.containers.ContainerTransport;
import io.pipedevice.bench.net.LocalTransport;
import io.pipedevice.bench.net.NetOptions;
import io.pipedevice.bench.net.NetTransport;
import io.pipedevice.bench.net.Row;
import io.pipedevice.bench.net.Site;
import io.pipedevice.bench.net.UnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the evaluation compares: each is a transport of another benchmark, perhaps with more flags for its driver. */
@SuppressWarnings("ImmutableEnumChecker") // transports are immutable, as is the list
enum PaperTransport implements NetTransport {
    /** Between two namespaces: the baseline of the papers. */
    TCP("kernel TCP over the bridge", "#666666", ContainerTransport.TCP),

    /** Within one namespace, like the next four. */
    TCP_LOOPBACK("kernel TCP over loopback", "#aaaaaa", LocalTransport.TCP),

    /** Sockets of the file system. */
    UNIX("Unix-domain sockets", "#0072b2", LocalTransport.UNIX),

    /** Netty on epoll. */
    NETTY_EPOLL("Netty epoll, TCP over loopback", "#56b4e9", LocalTransport.NETTY_EPOLL),

    /** Netty on io_uring. */
    NETTY_IO_URING("Netty io_uring, TCP over loopback", "#882255", LocalTransport.NETTY_IO_URING),

    /** Messages in shared memory, without sockets. */
    AERON("Aeron IPC", "#117733", LocalTransport.AERON),

    /** TCP between two namespaces, past the network stack: what Cilium does. */
    SOCKMAP("sockmap (eBPF)", "#332288", ContainerTransport.SOCKMAP),

    /** Both programs in one namespace, without a driver. */
    PEERS("PipeDevice, peers", "#009e73", ContainerTransport.PEERS),

    /** A driver introduces programs of two namespaces. */
    DIRECT("PipeDevice, direct path", "#d55e00", ContainerTransport.DIRECT),

    /** A driver copies, on its own thread. */
    DEVICE("PipeDevice, device path: emulator", "#cc79a7", ContainerTransport.DEVICE),

    /** An engine with a thread of its own copies. */
    DEVICE_THREAD(
            "PipeDevice, device path: emulator with a thread",
            "#e69f00",
            ContainerTransport.DEVICE,
            "-Dpipedevice.driver.threading=separate"),

    /** The model of the FPGA's registers copies. */
    DEVICE_MODEL(
            "PipeDevice, device path: model of the FPGA",
            "#f0e442",
            ContainerTransport.DEVICE,
            "-Dpipedevice.driver.device=model");

    private final String title;
    private final String colour;
    private final NetTransport carries;
    private final List<String> moreDriverFlags;

    PaperTransport(String title, String colour, NetTransport carries, String... moreDriverFlags) {
        this.title = title;
        this.colour = colour;
        this.carries = carries;
        this.moreDriverFlags = List.of(moreDriverFlags);
    }

    /** The placements of PipeDevice. */
    static List<PaperTransport> placements() {
        return Arrays.stream(values()).filter(PaperTransport::isOnPipeDevice).toList();
    }

    /** The name on the command line. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public String stack() {
        return carries.stack();
    }

    @Override
    public String colour() {
        return colour;
    }

    @Override
    public boolean isOnPipeDevice() {
        return carries.isOnPipeDevice();
    }

    @Override
    public List<String> flags() {
        return carries.flags();
    }

    @Override
    public Optional<List<String>> driverFlags(NetOptions options) {
        return carries.driverFlags(options).map(flags -> {
            List<String> all = new ArrayList<>(flags);
            all.addAll(moreDriverFlags);
            return all;
        });
    }

    /**
     * Netty and Aeron have one connection here, the samples of java.nio are programs of TCP, and PD Lib's driver has no
     * direct path.
     */
    @Override
    public boolean runs(Row row) {
        if (row.isByLib()) {
            return this == PEERS || this == DEVICE || this == DEVICE_THREAD || this == DEVICE_MODEL;
        }
        return switch (this) {
            case NETTY_EPOLL, NETTY_IO_URING, AERON -> (row.isStream() && !row.isLimited()) || row.isPingPong();
            case UNIX -> !row.isLimited() && !row.isSample();
            case DIRECT, DEVICE -> true;
            // The memory of a connection is the same with each device.
            case DEVICE_THREAD, DEVICE_MODEL -> !row.isLimited() && row != Row.MEMORY;
            default -> !row.isLimited();
        };
    }

    @Override
    public Site site(Path scratch) throws IOException, InterruptedException, UnavailableException {
        return carries.site(scratch);
    }
}
