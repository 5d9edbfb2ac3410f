// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import io.pipedevice.bench.Machine;
import io.pipedevice.bench.Strace;
import io.pipedevice.bench.WorkerProcess;
import io.pipedevice.bench.core.Stream.Part;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * One run of one subject: its processes, and the measurements with them. Used by one thread. {@link #close} ends the
 * processes and removes their files; that also happens when this process is about to end.
 */
final class Leg implements AutoCloseable {
    private static final long STRACE_MILLIS = 1000;

    /** Attempts to see one message arrive, each as long as a measurement. */
    private static final int MAX_INTERVALS = 100;

    private final CoreOptions options;
    private final Map<Part, WorkerProcess> processes = new EnumMap<>(Part.class);
    private final Thread closesAtTheEnd = new Thread(this::end, "bench-clean-up");
    private Path directory;
    private String device = "";
    private long counted;
    private long summed;
    private boolean ended;

    private Leg(CoreOptions options) {
        this.options = options;
    }

    static Leg start(Subject subject, CoreOptions options) throws IOException, InterruptedException {
        Leg leg = new Leg(options);
        Runtime.getRuntime().addShutdownHook(leg.closesAtTheEnd);
        try {
            if (subject.isDevice()) {
                String directory = leg.makeDirectory().toString();
                String[] ready = leg.add(
                        Part.DRIVER, "driver", directory, options.threading().name(), subject.device());
                leg.device = String.join(" ", Arrays.copyOfRange(ready, 1, ready.length));
                leg.add(Part.SERVER, "pipedevice", directory);
                leg.add(Part.CLIENT, "pipedevice", directory);
            } else {
                leg.add(Part.SERVER, "tcp");
                leg.add(Part.CLIENT, "tcp");
            }
            return leg;
        } catch (IOException | InterruptedException | RuntimeException e) {
            leg.close();
            throw e;
        }
    }

    private synchronized Path makeDirectory() throws IOException {
        directory = Files.createTempDirectory("pipedevice-bench-");
        return directory;
    }

    /** Starts a process; returns the words with which it says that it is ready. */
    private String[] add(Part part, String... args) throws IOException, InterruptedException {
        WorkerProcess process;
        synchronized (this) {
            if (ended) {
                throw new IOException("the benchmark is ending");
            }
            process = Worker.start(part.name().toLowerCase(Locale.ROOT), List.of(), args);
            processes.put(part, process);
        }
        return process.await("ready");
    }

    /** Lets the compilers see all code paths of the processes. */
    void warmUp() throws IOException, InterruptedException {
        for (Phase phase : options.phases()) {
            for (int size : new int[] {64 << 10, 64}) {
                open(phase, size);
                TimeUnit.MILLISECONDS.sleep(options.warmUpMillis());
                finish(phase);
            }
        }
    }

    /** Measures messages one way, for longer than the options say if no message arrives in that time. */
    Stream stream(Phase phase, int size) throws IOException, InterruptedException {
        open(phase, size);
        TimeUnit.MILLISECONDS.sleep(options.warmUpMillis());
        Map<Part, Snapshot> begin = snapshots();
        Map<Part, Snapshot> end = begin;
        for (int i = 0; i < MAX_INTERVALS && !arrived(begin, end); i++) {
            TimeUnit.MILLISECONDS.sleep(options.measureMillis());
            end = snapshots();
        }
        finish(phase);
        if (!arrived(begin, end)) {
            throw new IOException("no message of " + size + " bytes arrived in " + MAX_INTERVALS + " x "
                    + options.measureMillis() + " ms");
        }
        return between(begin, end, size);
    }

    /** Measures round trips. */
    Histogram pingPong(int size) throws IOException, InterruptedException {
        open(Phase.PING_PONG, size);
        TimeUnit.MILLISECONDS.sleep(options.warmUpMillis());
        processes.get(Part.CLIENT).ask("measure", "measuring");
        TimeUnit.MILLISECONDS.sleep(options.measureMillis());
        return finish(Phase.PING_PONG);
    }

    /** Counts system calls per message, by their names, during a stream of messages one way. */
    Map<Part, Map<String, Double>> systemCalls(Phase phase, int size) throws IOException, InterruptedException {
        open(phase, size);
        TimeUnit.MILLISECONDS.sleep(options.warmUpMillis());
        Map<Part, Strace> traces = new EnumMap<>(Part.class);
        Map<Part, Map<String, Double>> result = new EnumMap<>(Part.class);
        try {
            for (Map.Entry<Part, WorkerProcess> entry : processes.entrySet()) {
                traces.put(entry.getKey(), Strace.attach(entry.getValue().pid()));
            }
            long begin = Snapshot.of(processes.get(Part.SERVER)).bytes();
            TimeUnit.MILLISECONDS.sleep(STRACE_MILLIS);
            long end = Snapshot.of(processes.get(Part.SERVER)).bytes();
            for (Map.Entry<Part, Strace> entry : traces.entrySet()) {
                double messages = Math.max(size, end - begin) / (double) size;
                Map<String, Double> perMessage = new TreeMap<>();
                entry.getValue().detach().forEach((name, calls) -> perMessage.put(name, calls / messages));
                result.put(entry.getKey(), perMessage);
            }
        } finally {
            traces.values().forEach(Strace::close);
        }
        finish(phase);
        return result;
    }

    /** The facts of this run, after its measurements. */
    LegFacts facts() throws IOException, InterruptedException {
        return new LegFacts(directory == null ? null : DeviceFacts.read(directory, device, pages()), counted, summed);
    }

    /** The pages of the rings that the client has mapped. */
    private String pages() throws IOException, InterruptedException {
        open(Phase.UNTOUCHED, options.sizes().get(0));
        String pages = Machine.pages(processes.get(Part.CLIENT).pid());
        finish(Phase.UNTOUCHED);
        return pages;
    }

    private void open(Phase phase, int size) throws IOException, InterruptedException {
        int connections = phase == Phase.PING_PONG ? 1 : options.connections();
        String what = " " + phase + " " + size + " " + options.ringFor(size) + " " + connections;
        String port = processes.get(Part.SERVER).ask("serve" + what, "listening")[1];
        processes.get(Part.CLIENT).ask("connect" + what + " " + port, "connected");
    }

    /** Ends the connections, and checks that all data arrived unchanged. */
    private Histogram finish(Phase phase) throws IOException, InterruptedException {
        String[] client;
        String[] server;
        try {
            client = processes.get(Part.CLIENT).ask("stop", "done");
            server = processes.get(Part.SERVER).await("done");
        } catch (IOException e) {
            // A process that waits for another one is the first that gives no answer.
            processes.values().forEach(process -> process.addFailures(e));
            throw e;
        }
        long sent = Long.parseLong(client[1]);
        if (Long.parseLong(server[1]) != sent) {
            throw new IOException("sent " + sent + " bytes, but " + server[1] + " arrived");
        }
        if (!server[2].equals(client[2])) {
            throw new IOException("the payload arrived changed: sum " + server[2] + " instead of " + client[2]);
        }
        counted += sent;
        if (phase == Phase.TOUCHED) {
            summed += sent;
        }
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(client[3])), 0);
        } catch (DataFormatException e) {
            throw new IOException("the client's histogram cannot be read", e);
        }
    }

    private Map<Part, Snapshot> snapshots() throws IOException, InterruptedException {
        Map<Part, Snapshot> result = new EnumMap<>(Part.class);
        for (Map.Entry<Part, WorkerProcess> entry : processes.entrySet()) {
            result.put(entry.getKey(), Snapshot.of(entry.getValue()));
        }
        return result;
    }

    private static boolean arrived(Map<Part, Snapshot> begin, Map<Part, Snapshot> end) {
        return end.get(Part.SERVER).bytes() > begin.get(Part.SERVER).bytes();
    }

    private static Stream between(Map<Part, Snapshot> begin, Map<Part, Snapshot> end, int size) {
        Snapshot first = begin.get(Part.SERVER);
        Snapshot last = end.get(Part.SERVER);
        double bytes = Math.max(1, last.bytes() - first.bytes());
        double seconds = (last.nanos() - first.nanos()) / 1e9;
        Map<Part, Double> cpu = new EnumMap<>(Part.class);
        Map<Part, Double> allocated = new EnumMap<>(Part.class);
        for (Part part : begin.keySet()) {
            cpu.put(part, (end.get(part).cpuSeconds() - begin.get(part).cpuSeconds()) / (bytes / 1e9));
            allocated.put(part, (end.get(part).allocated() - begin.get(part).allocated()) / (bytes / size));
        }
        return new Stream(bytes / 1e9 / seconds, bytes / size / seconds, cpu, allocated);
    }

    private synchronized void end() {
        ended = true;
        // The driver is closed last, because its clients detach from it.
        processes.values().forEach(WorkerProcess::close);
        processes.clear();
        if (directory != null) {
            try {
                for (String name : new String[] {"driver.sock", "driver.lock", "accounts.jsonl"}) {
                    Files.deleteIfExists(directory.resolve(name));
                }
                Files.deleteIfExists(directory);
            } catch (IOException e) {
                System.getLogger(Leg.class.getName())
                        .log(System.Logger.Level.WARNING, "cannot remove {0}: {1}", directory, e.getMessage());
            }
            directory = null;
        }
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(closesAtTheEnd);
        } catch (IllegalStateException e) {
            // The process is ending, and its hook will find that this leg is closed already.
            return;
        }
    }
}
