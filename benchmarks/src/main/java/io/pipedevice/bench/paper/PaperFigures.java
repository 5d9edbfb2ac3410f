// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.paper;

import io.pipedevice.bench.net.Metric;
import io.pipedevice.bench.net.Numbers;
import io.pipedevice.bench.net.Row;
import io.pipedevice.bench.program.Pace;
import java.util.List;

/**
 * The figures and tables of the papers that are measured here, each an entry of {@link #all}. "PipeDevice" is the paper
 * of CoNEXT '22, "ToN" its version in the Transactions on Networking, and "FreeFlow" the paper of NSDI '19. What a
 * paper shows in a plot only has no number here.
 */
final class PaperFigures {
    /** Streams by ascending size. */
    static final List<Row> STREAMS = List.of(
            Row.STREAM_64,
            Row.STREAM_1K,
            Row.STREAM_4K,
            Row.STREAM_16K,
            Row.STREAM_64K,
            Row.STREAM_256K,
            Row.STREAM_1M,
            Row.STREAM_4M);

    private static final double NO_NUMBER = Double.NaN;
    private static final double BYTES_PER_SECOND_OF_GIGABIT = 1e9 / 8;
    private static final double RATE_REACHED = 0.98 * Pace.BYTES_PER_SECOND / 1e9;
    private static final double RING_OF_THE_PAPER = 4 << 20;
    private static final String PLOT_ONLY = "plot only";

    private PaperFigures() {}

    static List<PaperFigure> all() {
        return List.of(
                cores(),
                memory(),
                throughput(),
                connections(),
                latency64(),
                latency8k(),
                fairness(),
                allreduce(),
                serviceChain(),
                freeFlowPairs(),
                freeFlowRouter(),
                freeFlowLimits(),
                freeFlowSockets(),
                freeFlowSpark());
    }

    private static PaperFigure cores() {
        return PaperFigure.of("PipeDevice, Figure 9", "Cores of sender and receiver at a fixed throughput")
                .states("80 Gbit/s, section 5.1: PipeDevice saves 3.93 cores beside TCP, 1.56 beside FreeFlow TCP,")
                .states("   1.09 beside Cilium, 2.28 beside io_uring; ToN: UDS and Slim 1.19 and 1.54, in this order")
                .states("abstract: 63.2 % fewer cores than TCP, 40.5 % fewer than FreeFlow; so 6.22 cores of TCP,")
                .states("   3.85 of FreeFlow TCP and 2.29 of PipeDevice, which the paper does not state")
                .note("here at 8 Gbit/s (1 GB/s), so compare the ratio of cores")
                .note("a transport below 98 % of this rate does less work with its cores: the summary leaves it out")
                .note("the paper has 16 streams of TCP and one of PipeDevice; here each has one")
                .note("the paper leaves out the core of FreeFlow's router; here the driver's time is counted")
                .note("Aeron's receiver polls at this rate, too: its cores are those of a thread that never sleeps")
                .line("64 KB at 1 GB/s: GB/s reached", Row.RATE, Metric.GIGABYTES)
                .line("   cores of programs and driver", Row.RATE, Metric.CORES)
                .line("   of the two programs", Row.RATE, Metric.CORES_PROGRAMS)
                .line("   of the driver", Row.RATE, Metric.CORES_DRIVER)
                .line("   of the kernel's soft interrupts, in addition", Row.RATE, Metric.CORES_KERNEL)
                .gain(Gain.timesLessThanTcp(
                                "fewer cores than TCP, fixed rate",
                                "2.72 x (63.2 % saved)",
                                2.72,
                                Row.RATE,
                                Metric.CORES)
                        .ifReached(Row.RATE, RATE_REACHED));
    }

    private static PaperFigure memory() {
        return PaperFigure.of("PipeDevice, section 5.1", "Memory of connections")
                .states("32 containers of 512 sockets with rings of 4 MB need 4 GB in all; memory that 16 pairs share")
                .states("   statically, 2 GB for a pair of 512 sockets, is 32 GB: 8 x")
                .note("4 GB are 1024 rings of 4 MB for 16384 sockets: that holds as rings are allocated on demand")
                .note("here: both ends of a connection that has carried one message and is idle, beside 4 MB")
                .note("the sockets of the paper are active, so that the two are not comparable")
                .line("idle connection, both ends, KB", Row.MEMORY, Metric.MEMORY)
                .line("   processes", Row.MEMORY, Metric.MEMORY_PROCESSES)
                .line("   heap", Row.MEMORY, Metric.MEMORY_HEAP)
                .line("   shared", Row.MEMORY, Metric.MEMORY_SHARED)
                .line("   kernel", Row.MEMORY, Metric.MEMORY_KERNEL)
                .gain(Gain.timesLessThan(
                        "less memory than static rings of 4 MB",
                        "8 x",
                        NO_NUMBER,
                        RING_OF_THE_PAPER,
                        Row.MEMORY,
                        Metric.MEMORY));
    }

    private static PaperFigure throughput() {
        PaperFigure figure = PaperFigure.of(
                        "PipeDevice, Figures 10 and 11", "Throughput over the size of messages, and its processor time")
                .states(
                        "Figure 10: the FPGA saturates at about 85 Gbit/s (10.6 GB/s) above 4 KB; below, the CPU limits it")
                .states(
                        "   IOAT: about 62 Gbit/s (7.75 GB/s) at 16 KB; messages are split into copies of 16 KB at most")
                .states("Figure 11: with one core faster than TCP, FreeFlow TCP, Cilium and io_uring (plot only)")
                .note(
                        "the hardware here copies by processor: no FPGA, no IOAT; two cores carry both ends and the driver")
                .note("Table 1: iperf over a bridge sends 32.00 Gbit/s with one core, receives 37.66 Gbit/s");
        for (Row row : STREAMS) {
            figure = figure.line(Numbers.size(row.size()) + " one way, GB/s", row, Metric.GIGABYTES)
                    .line("   CPU of the two programs, s/GB", row, Metric.CPU_PROGRAMS)
                    .line("   CPU of the driver, s/GB", row, Metric.CPU_DRIVER)
                    .line("   soft interrupts of the kernel, s/GB", row, Metric.CPU_KERNEL);
        }
        for (Row row : List.of(Row.STREAM_4K, Row.STREAM_64K, Row.STREAM_1M)) {
            figure = figure.gain(Gain.timesTcp(
                    "GB/s at " + Numbers.size(row.size()) + " beside TCP",
                    PLOT_ONLY,
                    NO_NUMBER,
                    row,
                    Metric.GIGABYTES));
        }
        return figure;
    }

    private static PaperFigure connections() {
        return PaperFigure.of("PipeDevice, Figure 12", "Throughput over the number of connections, in parts of 128")
                .states("section 5.3: stable at its peak up to 4096 connections, messages of 1 KB")
                .states("Figure 3, RDMA READ at 4096 connections: ConnectX-5 -48.07 %, ConnectX-6 -27.14 %")
                .note("section 1 says 400 connections without degradation, section 5.3 4096")
                .note(
                        "the paper has two containers of 16 cores; here a thread for each connection at each end, on 2 cores")
                .note("32 clients have a small heap and the first compiler only, so their parts of 128 say less")
                .note(
                        "TCP resets some of 4096 connections when their buffers exceed net.ipv4.tcp_mem; the kernel's log says so")
                .line("1 connection, GB/s", Row.SCALE_1, Metric.GIGABYTES)
                .line("16 connections", Row.SCALE_16, Metric.GIGABYTES)
                .line("128 connections", Row.SCALE_128, Metric.GIGABYTES)
                .line("512 connections", Row.SCALE_512, Metric.GIGABYTES)
                .line("4096 connections", Row.SCALE_4096, Metric.GIGABYTES)
                .line("32 clients with 128 connections each", Row.SCALE_32X128, Metric.GIGABYTES)
                .inPartsOf(Row.SCALE_128)
                .gain(Gain.ofRow(
                        "4096 connections in parts of 128",
                        "1 x (stable)",
                        1,
                        Row.SCALE_4096,
                        Row.SCALE_128,
                        Metric.GIGABYTES));
    }

    private static PaperFigure latency64() {
        return PaperFigure.of("PipeDevice, Table 5", "Latency of messages of 64 B")
                .states("us: average, median, 99 %; 5,000 runs")
                .states("   TCP 12.12, 12.71, 16.46; FreeFlow TCP 14.25, 14.37, 18.19; Cilium 7.49, 5.66, 11.14")
                .states("   io_uring 3.07, 2.44, 20.98; FPGA 8.27, 7.39, 23.13; IOAT (emulated) 0.96, 0.94, 1.26")
                .note("the paper's is the time until a send has completed, ours a round trip of blocking calls")
                .note("the FPGA's 99 % is 1.41 times TCP's, although the text speaks of a lower latency in general")
                .line("64 B there and back, mean us", Row.PING_PONG_64, Metric.MEAN)
                .line("   p50", Row.PING_PONG_64, Metric.P50)
                .line("   p99", Row.PING_PONG_64, Metric.P99)
                .gain(Gain.timesLessThanTcp(
                        "64 B: mean below TCP's", "1.47 x (FPGA)", 1.47, Row.PING_PONG_64, Metric.MEAN))
                .gain(Gain.timesLessThanTcp(
                        "64 B: p99 below TCP's", "0.71 x (FPGA)", 0.71, Row.PING_PONG_64, Metric.P99));
    }

    private static PaperFigure latency8k() {
        return PaperFigure.of("PipeDevice, Table 6", "Latency of messages of 8 KB")
                .states("us: average, median, 99 %; 5,000 runs")
                .states("   TCP 16.82, 16.77, 22.19; FreeFlow TCP 18.88, 19.56, 24.29; Cilium 9.15, 7.29, 13.75")
                .states("   io_uring 12.06, 10.02, 38.47; FPGA 9.85, 9.54, 18.84; IOAT (emulated) 3.42, 1.06, 22.13")
                .note("the paper's is the time until a send has completed, ours a round trip of blocking calls")
                .line("8 KB there and back, mean us", Row.PING_PONG_8K, Metric.MEAN)
                .line("   p50", Row.PING_PONG_8K, Metric.P50)
                .line("   p99", Row.PING_PONG_8K, Metric.P99)
                .gain(Gain.timesLessThanTcp(
                        "8 KB: mean below TCP's", "1.71 x (FPGA)", 1.71, Row.PING_PONG_8K, Metric.MEAN))
                .gain(Gain.timesLessThanTcp(
                        "8 KB: p99 below TCP's", "1.18 x (FPGA)", 1.18, Row.PING_PONG_8K, Metric.P99));
    }

    private static PaperFigure fairness() {
        return PaperFigure.of("PipeDevice, Figure 13", "Fairness: standard deviation of the throughput of connections")
                .states("section 5.4: below 0.5 Gbit/s, for 16 pairs of containers, and for connections of one pair")
                .note("the paper does not state the mean, without which the deviation says little: see Jain's index")
                .line("16 streams of 64 KB, deviation, Gbit/s", Row.PAIRS_16, Metric.DEVIATION)
                .line("   GB/s in all", Row.PAIRS_16, Metric.GIGABYTES)
                .gain(Gain.atMost(
                        "16 streams: deviation",
                        "below 0.5 Gbit/s",
                        0.5 * BYTES_PER_SECOND_OF_GIGABIT,
                        Row.PAIRS_16,
                        Metric.DEVIATION));
    }

    private static PaperFigure allreduce() {
        return PaperFigure.of("PipeDevice, Figure 14", "Throughput of ring allreduce of 200 MB")
                .states("section 5.5: about 2.2 x the same over TCP, 2.1 x Open MPI, 1.9 x Cilium, 2.0 x io_uring")
                .states("ToN, Figure 16: 2.21 x TCP, 2.14 x Open MPI, 1.92 x Cilium, 1.97 x UDS, 2.05 x io_uring")
                .note("the text does not state the number of processes; each has a core there, all share two here")
                .line("2 processes, GB/s", Row.ALLREDUCE_2, Metric.GIGABYTES)
                .line("4 processes", Row.ALLREDUCE_4, Metric.GIGABYTES)
                .note(
                        "PD Lib: another program, without a copy, beside the one of java.nio on TCP; its parts are smaller")
                .line("8 processes", Row.ALLREDUCE_8, Metric.GIGABYTES)
                .line("2 processes by PD Lib", Row.ALLREDUCE_2_LIB, Metric.GIGABYTES)
                .line("4 processes by PD Lib", Row.ALLREDUCE_4_LIB, Metric.GIGABYTES)
                .gain(allreduce("2", Row.ALLREDUCE_2))
                .gain(allreduce("4", Row.ALLREDUCE_4))
                .gain(allreduce("8", Row.ALLREDUCE_8))
                .gain(allreduceByLib("2", Row.ALLREDUCE_2_LIB, Row.ALLREDUCE_2))
                .gain(allreduceByLib("4", Row.ALLREDUCE_4_LIB, Row.ALLREDUCE_4));
    }

    private static Gain allreduceByLib(String processes, Row row, Row byNio) {
        return Gain.timesTcpOf(
                "allreduce of " + processes + " by PD Lib beside java.nio on TCP",
                "2.2 x",
                2.2,
                row,
                byNio,
                Metric.GIGABYTES);
    }

    private static Gain allreduce(String processes, Row row) {
        return Gain.timesTcp("allreduce of " + processes + " beside TCP", "2.2 x", 2.2, row, Metric.GIGABYTES);
    }

    private static PaperFigure serviceChain() {
        return PaperFigure.of(
                        "PipeDevice, Figures 15 and 16", "A chain of network functions, 10,000 requests of 1.5 KB")
                .states("section 5.5: FreeFlow TCP 97.51 ms with 3.37 cores, PipeDevice 82.42 ms with 2.04 cores")
                .note("the cores are 39.5 % fewer, although section 5.5 says 51 % and section 1 47 %")
                .note("the time is 15.48 % less, although section 5.5 says 15.57 %")
                .note(
                        "the paper compares with FreeFlow TCP, and gives each function three cores; here it is TCP on 2 cores")
                .note(
                        "a client sends as fast as it can, so a faster chain keeps the same cores busy for a shorter time:")
                .note("   compare the processor time of all requests, of the paper 328.6 ms and 168.1 ms, 1.95 x,")
                .note("   and the cores at a fixed rate, as the two rates of the paper are nearly the same")
                .note("PD Lib: another program, whose functions have no buffers, beside the one of java.nio on TCP")
                .line("completion, ms", Row.SERVICE_CHAIN, Metric.COMPLETION)
                .line("   cores", Row.SERVICE_CHAIN, Metric.CORES)
                .line("   processor time, ms", Row.SERVICE_CHAIN, Metric.CPU_COMPLETION)
                .line("20,000 requests/s: cores", Row.SERVICE_CHAIN_RATE, Metric.CORES)
                .line("   completion, ms, 500 at this rate", Row.SERVICE_CHAIN_RATE, Metric.COMPLETION)
                .line("by PD Lib: completion, ms", Row.SERVICE_CHAIN_LIB, Metric.COMPLETION)
                .line("   cores", Row.SERVICE_CHAIN_LIB, Metric.CORES)
                .line("   processor time, ms", Row.SERVICE_CHAIN_LIB, Metric.CPU_COMPLETION)
                .gain(chain("shorter than TCP", 1.18, Metric.COMPLETION))
                .gain(chain("less processor time than TCP", 1.95, Metric.CPU_COMPLETION))
                .gain(Gain.timesLessThanTcp(
                        "service chain at a fixed rate: fewer cores than TCP",
                        besideFreeFlow(1.65),
                        1.65,
                        Row.SERVICE_CHAIN_RATE,
                        Metric.CORES))
                .gain(chainByLib("shorter than java.nio on TCP", 1.18, Metric.COMPLETION))
                .gain(chainByLib("less processor time", 1.95, Metric.CPU_COMPLETION));
    }

    private static Gain chain(String what, double wanted, Metric metric) {
        return Gain.timesLessThanTcp(
                "service chain: " + what, besideFreeFlow(wanted), wanted, Row.SERVICE_CHAIN, metric);
    }

    private static Gain chainByLib(String what, double wanted, Metric metric) {
        return Gain.timesLessThanTcpOf(
                "service chain by PD Lib: " + what,
                besideFreeFlow(wanted),
                wanted,
                Row.SERVICE_CHAIN_LIB,
                Row.SERVICE_CHAIN,
                metric);
    }

    private static String besideFreeFlow(double wanted) {
        return Numbers.significant(wanted) + " x (FreeFlow TCP)";
    }

    private static PaperFigure freeFlowPairs() {
        return PaperFigure.of("FreeFlow, Figure 11", "Fairness of up to 512 pairs")
                .states("section 8.1: up to 512 pairs close to the optimum, Jain's index 0.97 on average")
                .note("the paper's pairs are containers on two hosts; here they are connections of two processes")
                .line("16 streams of 64 KB, Jain's index", Row.PAIRS_16, Metric.JAIN)
                .line("512 streams of 64 KB, Jain's index", Row.PAIRS_512, Metric.JAIN)
                .line("   GB/s in all", Row.PAIRS_512, Metric.GIGABYTES)
                .line("   deviation, Gbit/s", Row.PAIRS_512, Metric.DEVIATION)
                .gain(Gain.atLeast("512 streams: Jain's index", "0.97", 0.97, Row.PAIRS_512, Metric.JAIN));
    }

    private static PaperFigure freeFlowRouter() {
        return PaperFigure.of("FreeFlow, Figure 12", "Cores of the router at full throughput, messages of 1 MB")
                .states("section 8.1.2: the router takes at most one core, the library less than 30 % more")
                .note("the direct path has a driver without work, so the device path is judged")
                .line("1 MB one way: cores of the driver", Row.STREAM_1M, Metric.CORES_DRIVER)
                .line("   cores of the two programs", Row.STREAM_1M, Metric.CORES_PROGRAMS)
                .gain(Gain.atMost("cores of the driver, 1 MB", "1 core", 1, Row.STREAM_1M, Metric.CORES_DRIVER)
                        .on(PaperTransport.DEVICE, PaperTransport.DEVICE_THREAD));
    }

    private static PaperFigure freeFlowLimits() {
        PaperFigure figure = PaperFigure.of("FreeFlow, Figure 13", "Rate of one flow beside its limit")
                .states("section 8.1.3: limits of 1 to 40 Gbit/s are kept; the control costs 6 % of a core")
                .note("the limit is a policy's file of the driver; only what a driver introduces has one")
                .note("compared where 64 KB one way without a limit (stream-64k) is at least as fast as the limit");
        for (Row row : List.of(Row.RATE_LIMIT_1, Row.RATE_LIMIT_10, Row.RATE_LIMIT_40)) {
            String gigabits = row.title().substring(row.title().lastIndexOf('-') + 1);
            String limit = gigabits + " Gbit/s";
            figure = figure.line("limit of " + limit + ": rate in parts of it", row, Metric.OF_LIMIT)
                    .line("   cores of the driver", row, Metric.CORES_DRIVER)
                    .gain(Gain.nearOne("rate beside a limit of " + limit, "kept", row, Metric.OF_LIMIT)
                            .ifReached(Row.STREAM_64K, Double.parseDouble(gigabits) / 8));
        }
        return figure;
    }

    private static PaperFigure freeFlowSockets() {
        return PaperFigure.of("FreeFlow, Figure 14", "TCP sockets over RDMA, beside TCP of a virtual network")
                .states("section 8.1.4: 6.8 to 13.4 x the throughput of Weave for large messages;")
                .states("   latency of small messages up to 98 % (50 x) below the host's TCP")
                .note("the paper's ends are on two hosts; here the virtual network is a bridge of one host")
                .note("the latency is beside the host's own TCP: here TCP over loopback")
                .line("1 MB one way, GB/s", Row.STREAM_1M, Metric.GIGABYTES)
                .line("64 B there and back, p50 us", Row.PING_PONG_64, Metric.P50)
                .gain(Gain.timesTcp(
                                "1 MB beside TCP of the bridge", "6.8 to 13.4 x", 6.8, Row.STREAM_1M, Metric.GIGABYTES)
                        .on(
                                PaperTransport.DIRECT,
                                PaperTransport.DEVICE,
                                PaperTransport.DEVICE_THREAD,
                                PaperTransport.DEVICE_MODEL))
                .gain(Gain.timesLessThanTcp(
                                "64 B: p50 below loopback TCP's", "up to 50 x", 50, Row.PING_PONG_64, Metric.P50)
                        .beside(PaperTransport.TCP_LOOPBACK));
    }

    private static PaperFigure freeFlowSpark() {
        PaperFigure figure = PaperFigure.of(
                        "FreeFlow, Figure 16", "Data analytics: a sort by Spark, with executors in containers")
                .states(
                        "section 8.2.2: GroupBy and SortBy of 262,144 pairs with values of 2 KB, 8 mappers and reducers:")
                .states("   up to 1.8 x as fast as containers with Weave (Figure 16, a plot)")
                .note("the paper's executors are on two hosts with InfiniBand, and use an extension of Spark for RDMA")
                .note("here two executors of one thread each share two cores with the application and the driver")
                .note("records of 100 B with a key of 10 B, as in TeraSort, or of 2 KB; in all as many bytes as there")
                .note("the read phase fetches, decodes, sorts and checks; a half comes from the other executor")
                .note("a transport cannot shorten it by more than the time in which its threads wait, and its own CPU");
        for (Row row : List.of(Row.SPARK_SHUFFLE, Row.SPARK_SHUFFLE_2K)) {
            String size = Numbers.size(row.size());
            figure = figure.line("records of " + size + ": the job, ms", row, Metric.COMPLETION)
                    .line("   its read phase, ms", row, Metric.READ_PHASE)
                    .line("   shuffled, GB", row, Metric.SHUFFLED)
                    .line("   of that between executors, GB", row, Metric.SHUFFLED_REMOTE)
                    .line("   read phase: GB/s", row, Metric.GIGABYTES)
                    .line("   read phase: threads wait for data, %", row, Metric.DATA_WAIT)
                    .line("   CPU of executors and application, s/GB", row, Metric.CPU_PROGRAMS)
                    .line("   CPU of the driver, s/GB", row, Metric.CPU_DRIVER)
                    .line("   soft interrupts of the kernel, s/GB", row, Metric.CPU_KERNEL)
                    .line("   cores of all processes", row, Metric.CORES)
                    .gain(sparkGain("sort of " + size + " by Spark: shorter than TCP", row, Metric.COMPLETION))
                    .gain(sparkGain("read phase of a sort of " + size + ": shorter than TCP", row, Metric.READ_PHASE));
        }
        return figure;
    }

    private static Gain sparkGain(String what, Row row, Metric metric) {
        return Gain.timesLessThanTcp(what, "up to 1.8 x (Weave)", 1.8, row, metric);
    }

    /** What the machine or the registries do not give: a line for each, with the reason. */
    static List<String> leftOut() {
        return List.of(
                "PipeDevice, Tables 1 and 2 (parts of TCP's processor time) and Figure 2 (the part of MPI): not about PipeDevice",
                "PipeDevice, Figure 3 (RDMA by the number of connections): needs network cards with RDMA",
                "PipeDevice, Table 4 (resources of the FPGA), and Figure 10's raw engines: need the FPGA and IOAT",
                "ToN, Figures 13 and 14 (latency over the size of messages): plots only; Tables 5 and 6 have two sizes of them",
                "ToN, Figure 17 (training with PyTorch): no programs of java.nio",
                "FreeFlow, Table 2 (training on TensorFlow) and Table 3 (latency of FreeFlow's two modes): GPUs and RDMA",
                "FreeFlow, Figures 9, 10 and 15: RDMA or GPUs, between hosts",
                "hadroNIO: it is in no registry of Maven artifacts");
    }
}
