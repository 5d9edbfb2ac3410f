// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.paper;

import io.pipedevice.bench.containers.BridgeRun;
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

/** Measures what the figures and tables of the papers show. */
@Command(
        name = "paper",
        description = "Measure on this host what the figures and tables of the papers show, PipeDevice (CoNEXT '22) and"
                + " FreeFlow (NSDI '19), and compare the gains.",
        footer = {
            "",
            "Needs root. The network namespaces, the bridge and the control group are the",
            "command's own, and end with it. sockmap needs clang, libbpf-dev and bpftool.",
            "The report goes to standard output, and to paper.txt and paper.html in the",
            "output directory; paper.csv has the figure of each run. The exit code is 1 if",
            "a row failed. What needs an FPGA, IOAT or RDMA is left out. --quick measures",
            "some of the rows, on TCP, DIRECT and DEVICE.",
            "",
            "Rows: stream-64, stream-1k, stream-4k, stream-16k, stream-64k, stream-256k,",
            "      stream-1m, stream-4m, rate, rate-limit-1, rate-limit-10, rate-limit-40,",
            "      ping-pong-64, ping-pong-8k, scale-1, scale-16, scale-128, scale-512,",
            "      scale-4096, scale-32x128, pairs-16, pairs-512, memory, allreduce-2,",
            "      allreduce-4, allreduce-8, allreduce-2-lib, allreduce-4-lib,",
            "      service-chain, service-chain-rate, service-chain-lib, spark-shuffle,",
            "      spark-shuffle-2k. The last two need Spark's libraries, which Maven fetches",
            "      when one of them is measured."
        })
public final class PaperCommand implements Callable<Integer> {
    static final Set<Row> ROWS = Collections.unmodifiableSet(EnumSet.of(
            Row.STREAM_64,
            Row.STREAM_1K,
            Row.STREAM_4K,
            Row.STREAM_16K,
            Row.STREAM_64K,
            Row.STREAM_256K,
            Row.STREAM_1M,
            Row.STREAM_4M,
            Row.RATE,
            Row.RATE_LIMIT_1,
            Row.RATE_LIMIT_10,
            Row.RATE_LIMIT_40,
            Row.PING_PONG_64,
            Row.PING_PONG_8K,
            Row.SCALE_1,
            Row.SCALE_16,
            Row.SCALE_128,
            Row.SCALE_512,
            Row.SCALE_4096,
            Row.SCALE_32X128,
            Row.PAIRS_16,
            Row.PAIRS_512,
            Row.MEMORY,
            Row.ALLREDUCE_2,
            Row.ALLREDUCE_4,
            Row.ALLREDUCE_8,
            Row.ALLREDUCE_2_LIB,
            Row.ALLREDUCE_4_LIB,
            Row.SERVICE_CHAIN,
            Row.SERVICE_CHAIN_RATE,
            Row.SERVICE_CHAIN_LIB,
            Row.SPARK_SHUFFLE,
            Row.SPARK_SHUFFLE_2K));

    /** At least one row of each figure. */
    static final Set<Row> QUICK_ROWS = Collections.unmodifiableSet(EnumSet.of(
            Row.STREAM_64,
            Row.STREAM_4K,
            Row.STREAM_64K,
            Row.STREAM_1M,
            Row.RATE,
            Row.RATE_LIMIT_10,
            Row.PING_PONG_64,
            Row.PING_PONG_8K,
            Row.SCALE_1,
            Row.SCALE_128,
            Row.SCALE_512,
            Row.PAIRS_16,
            Row.PAIRS_512,
            Row.MEMORY,
            Row.ALLREDUCE_2,
            Row.SERVICE_CHAIN,
            Row.SPARK_SHUFFLE));

    private static final List<PaperTransport> QUICK_TRANSPORTS =
            List.of(PaperTransport.TCP, PaperTransport.DIRECT, PaperTransport.DEVICE);

    /** Idle connections whose memory is measured, after as many others: 10,000 in all. */
    private static final int IDLE = 5000;

    private static final int QUICK_IDLE = 500;

    @Mixin
    private BridgeRun run;

    @Option(
            names = "--transports",
            split = ",",
            paramLabel = "NAME",
            description = "Transports to measure: ${COMPLETION-CANDIDATES} (default: all).")
    private List<PaperTransport> transports = List.of();

    /** Creates the command; the command line does. */
    public PaperCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        return run.run(options(), List.of(PaperTransport.values()), PaperReport::new);
    }

    /** What the command line asks for. */
    NetOptions options() {
        boolean quick = run.isQuick();
        return run.options(chosenTransports(), ROWS, quick ? QUICK_ROWS : ROWS, quick ? QUICK_IDLE : IDLE);
    }

    private List<PaperTransport> chosenTransports() {
        if (!transports.isEmpty()) {
            return transports;
        }
        return run.isQuick() ? QUICK_TRANSPORTS : List.of(PaperTransport.values());
    }
}
