// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import com.sun.management.ThreadMXBean;
import io.pipedevice.bench.WorkerProcess;
import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.driver.Threading;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;

/**
 * A process of the benchmark: reads commands from standard input, one in a line, and answers each with a line on
 * standard output. It ends with its standard input, and so with the process that started it.
 *
 * <pre>
 *  serve PHASE SIZE RING COUNT         listening PORT            and, at the clients' end, done BYTES SUM HISTOGRAM
 *  connect PHASE SIZE RING COUNT PORT  connected
 *  measure                             measuring                 latency counts from now on
 *  snapshot                            snapshot BYTES NANOS ALLOCATED
 *  stop                                done BYTES SUM HISTOGRAM  the client ends its connections
 * </pre>
 *
 * <p>COUNT is the number of connections. When a process is ready it answers {@code ready}, and the driver's process
 * {@code ready DEVICE} with the device's own name.
 */
public final class Worker {
    /** Prefix of the names of the driver's and the engine's threads. */
    private static final String DRIVER_THREADS = "pd-";

    /**
     * A strong reference, because otherwise the logger and its level are collected. The level suppresses lines about
     * attached and detached processes.
     */
    private static final Logger DRIVER_LOG = Logger.getLogger("io.pipedevice.driver");

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final PrintStream out;

    /** Null in the driver. */
    private Peer peer;

    private Connections connections;

    /**
     * Starts one in a process of its own.
     *
     * @param name for messages: client, server or driver
     * @param flags of its JVM, in addition to those of this one
     * @param args of its main
     * @return the process, which prints {@code ready} when it is ready
     * @throws IOException if it cannot be started
     */
    public static WorkerProcess start(String name, List<String> flags, String... args) throws IOException {
        List<String> command = WorkerProcess.java(Worker.class.getName());
        command.addAll(1, flags);
        command.addAll(List.of(args));
        return WorkerProcess.start(name, command);
    }

    private Worker(PrintStream out) {
        this.out = out;
    }

    /**
     * Starts a process.
     *
     * @param args {@code driver DIR [THREADING DEVICE]}, {@code pipedevice DIR} or {@code tcp}
     * @throws IOException if the driver cannot be launched
     */
    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        try {
            new Worker(out).run(args);
        } catch (IOException | RuntimeException e) {
            out.println("error " + e);
            throw e;
        }
        // Threads that are stuck in a transport must not keep the process alive.
        System.exit(0);
    }

    private void run(String[] args) throws IOException {
        switch (args[0]) {
            case "driver" -> {
                DriverContext context = new DriverContext().directory(Path.of(args[1]));
                if (args.length > 2) {
                    context.threading(Threading.valueOf(args[2])).devices(args[3]);
                }
                drive(context);
            }
            case "pipedevice" -> serve(new PipeDevicePeer(Path.of(args[1])));
            case "tcp" -> serve(new TcpPeer());
            default -> throw new IllegalArgumentException(Arrays.toString(args));
        }
    }

    private void drive(DriverContext context) throws IOException {
        DRIVER_LOG.setLevel(Level.WARNING);
        PipeDeviceDriver driver = PipeDeviceDriver.launch(context);
        try (driver) {
            obeyAll("ready " + driver.deviceName());
        }
    }

    private void serve(Peer end) throws IOException {
        try (end) {
            peer = end;
            obeyAll("ready");
        }
    }

    private void obeyAll(String greeting) throws IOException {
        out.println(greeting);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            obey(line.split(" ", -1));
        }
    }

    private void obey(String[] words) throws IOException {
        switch (words[0]) {
            case "serve" -> {
                int size = Integer.parseInt(words[2]);
                int count = Integer.parseInt(words[4]);
                int port = peer.listen(size, Integer.parseInt(words[3]), count);
                connections = new Connections(Phase.valueOf(words[1]), size, count, out);
                connections.serve(peer);
                out.println("listening " + port);
            }
            case "connect" -> {
                int size = Integer.parseInt(words[2]);
                connections = new Connections(Phase.valueOf(words[1]), size, Integer.parseInt(words[4]), out);
                connections.drive(peer, Integer.parseInt(words[5]), size, Integer.parseInt(words[3]));
                out.println("connected");
            }
            case "measure" -> {
                connections.measure();
                out.println("measuring");
            }
            case "snapshot" -> {
                long bytes = connections == null ? 0 : connections.bytes();
                long nanos = System.nanoTime();
                out.println("snapshot " + bytes + " " + nanos + " " + allocated());
            }
            case "stop" -> connections.stop();
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    /** Bytes of heap that the threads of the data path have allocated so far. */
    private long allocated() {
        if (peer != null) {
            return connections == null
                    ? 0
                    : LongStream.of(THREADS.getThreadAllocatedBytes(connections.threadIds()))
                            .sum();
        }
        long sum = 0;
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith(DRIVER_THREADS)) {
                sum += THREADS.getThreadAllocatedBytes(thread.getThreadId());
            }
        }
        return sum;
    }
}
