// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.containers;

import io.pipedevice.bench.net.NetOptions;
import io.pipedevice.bench.net.Row;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares unmodified programs in two network namespaces, on PipeDevice, kernel TCP and sockmap. */
@Command(
        name = "containers",
        description = "Run the same programs in two network namespaces of this host, on PipeDevice, on kernel TCP over"
                + " a bridge and on sockmap, and compare them.",
        footer = {
            "",
            "Needs root. The network namespaces, the bridge and the control group are the",
            "command's own, and end with it. sockmap needs clang, libbpf-dev and bpftool.",
            "The report goes to standard output, and to containers.txt and containers.html",
            "in the output directory; containers.csv has the figure of each run. The exit",
            "code is 1 if a row failed, for example because its connections were not",
            "accelerated. --quick measures all rows.",
            "",
            "Rows: stream-64, stream-1k, stream-16k, stream-64k, stream-1m,",
            "      ping-pong-64, ping-pong-1k, ping-pong-8k, ping-pong-64k,",
            "      ping-pong-selector, ping-pong-selector-1k, ping-pong-selector-8k,",
            "      ping-pong-selector-64k, connect, connect-threads,",
            "      connect-plain-server, connect-plain-servers, connect-driver-away,",
            "      pairs-16, pairs-128, pairs-512, allreduce-2, allreduce-4,",
            "      service-chain, first-seconds, start-up."
        })
public final class ContainersCommand implements Callable<Integer> {
    static final Set<Row> ROWS = Collections.unmodifiableSet(EnumSet.of(
            Row.STREAM_64,
            Row.STREAM_1K,
            Row.STREAM_16K,
            Row.STREAM_64K,
            Row.STREAM_1M,
            Row.PING_PONG_64,
            Row.PING_PONG_1K,
            Row.PING_PONG_8K,
            Row.PING_PONG_64K,
            Row.PING_PONG_SELECTOR,
            Row.PING_PONG_SELECTOR_1K,
            Row.PING_PONG_SELECTOR_8K,
            Row.PING_PONG_SELECTOR_64K,
            Row.CONNECT,
            Row.CONNECT_THREADS,
            Row.CONNECT_PLAIN_SERVER,
            Row.CONNECT_PLAIN_SERVERS,
            Row.CONNECT_DRIVER_AWAY,
            Row.PAIRS_16,
            Row.PAIRS_128,
            Row.PAIRS_512,
            Row.ALLREDUCE_2,
            Row.ALLREDUCE_4,
            Row.SERVICE_CHAIN,
            Row.FIRST_SECONDS,
            Row.START_UP));

    @Mixin
    private BridgeRun run;

    @Option(
            names = "--transports",
            split = ",",
            paramLabel = "NAME",
            description = "Transports to measure: ${COMPLETION-CANDIDATES} (default: all).")
    private List<ContainerTransport> transports = List.of();

    /** Creates the command; the command line does. */
    public ContainersCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        return run.run(options(), List.of(ContainerTransport.values()), ContainerReport::new);
    }

    private NetOptions options() {
        return run.options(transports.isEmpty() ? List.of(ContainerTransport.values()) : transports, ROWS, ROWS, 0);
    }
}
