// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.Project;
import io.pipedevice.bench.WorkerProcess;
import io.pipedevice.bench.program.Program;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * One run of one transport: its processes. Used by one thread. {@link #close} ends them and removes their files; that
 * also happens when this process is about to end.
 */
final class NetLeg implements AutoCloseable {
    /** Raises the soft limit of open files, if that is allowed; the JVM uses it. */
    private static final String MORE_FILES = "[ $(ulimit -Hn) = unlimited ] || [ $(ulimit -Hn) -ge 100000 ] || "
            + "{ (ulimit -n 100000) 2>/dev/null && ulimit -n 100000; }";

    private static final int STARTS_AT_A_TIME = 10;
    private static final String UNAVAILABLE = "unavailable ";

    private final NetTransport transport;
    private final Thread closesAtTheEnd = new Thread(this::end, "bench-clean-up");
    private final Acceleration serverStat = new Acceleration();
    private final Acceleration clientStat = new Acceleration();

    /** Sorted by the time of their start. Guarded by this, like the other fields. */
    private final List<WorkerProcess> processes = new ArrayList<>();

    /** Flags of every process of a program. */
    private List<String> flags = List.of();

    private WorkerProcess server;
    private WorkerProcess client;

    /** Clients in addition to {@link #client}. */
    private final List<WorkerProcess> moreClients = new ArrayList<>();

    private Path scratch;
    private boolean ended;

    private NetLeg(NetTransport transport) {
        this.transport = transport;
    }

    /**
     * Starts the processes.
     *
     * @throws UnavailableException if the transport does not run here
     */
    static NetLeg start(NetTransport transport, Setting setting, NetOptions options)
            throws IOException, InterruptedException, UnavailableException {
        NetLeg leg = new NetLeg(transport);
        Runtime.getRuntime().addShutdownHook(leg.closesAtTheEnd);
        try {
            List<String> flags = new ArrayList<>(setting.flags());
            flags.addAll(transport.flags());
            flags.addAll(options.javaOptions());
            leg.makeScratch();
            if (transport.isOnPipeDevice()) {
                flags.add("-javaagent:" + Project.userJar());
                // On a machine with one processor PipeDevice would stay off.
                flags.add("-Dpipedevice.enabled=true");
                if (options.driver()) {
                    flags.add("-Dpipedevice.driver=" + leg.startDriver());
                }
            }
            leg.flags = List.copyOf(flags);
            leg.server = leg.add("server");
            leg.client = leg.add("client");
            return leg;
        } catch (IOException | InterruptedException | RuntimeException | UnavailableException e) {
            leg.close();
            throw e;
        }
    }

    private synchronized void makeScratch() throws IOException {
        scratch = Files.createTempDirectory("pipedevice-bench-");
    }

    private Path startDriver() throws IOException, InterruptedException {
        Path directory = Files.createDirectory(scratch.resolve("driver"));
        WorkerProcess process;
        synchronized (this) {
            process = WorkerProcess.start("driver", "driver", directory.toString(), "SHARED");
            processes.add(process);
        }
        process.await("ready");
        return directory;
    }

    private WorkerProcess add(String role) throws IOException, InterruptedException, UnavailableException {
        WorkerProcess process = begin(role);
        awaitReady(process, role);
        return process;
    }

    private synchronized WorkerProcess begin(String role) throws IOException {
        if (ended) {
            throw new IOException("the benchmark is ending");
        }
        List<String> command = new ArrayList<>(List.of("sh", "-c", MORE_FILES + "; exec \"$@\"", "sh"));
        command.addAll(java(Program.class, role, transport.stack(), scratch.toString()));
        WorkerProcess process = WorkerProcess.start(role, command);
        processes.add(process);
        return process;
    }

    private static void awaitReady(WorkerProcess process, String role)
            throws IOException, InterruptedException, UnavailableException {
        String line = process.awaitLine("ready");
        if (line.startsWith(UNAVAILABLE)) {
            throw new UnavailableException(line.substring(UNAVAILABLE.length()));
        }
        if (!line.equals("ready")) {
            throw new IOException("the " + role + " process failed: " + line);
        }
    }

    /** The command line of another program on this transport. */
    List<String> java(Class<?> program, String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", ClassPath.ofPrograms(), program.getName()));
        command.addAll(List.of(args));
        return command;
    }

    /** Starts more clients, a few at a time, because otherwise the last would not be ready in time. */
    void addClients(int count) throws IOException, InterruptedException {
        try {
            while (moreClients.size() < count) {
                List<WorkerProcess> some = new ArrayList<>();
                while (some.size() < STARTS_AT_A_TIME && moreClients.size() + some.size() < count) {
                    some.add(begin("client"));
                }
                for (WorkerProcess one : some) {
                    awaitReady(one, "client");
                }
                moreClients.addAll(some);
            }
        } catch (UnavailableException e) {
            throw new IOException("a further client is not available, although the first was: " + e.getMessage(), e);
        }
    }

    /** All clients. */
    List<WorkerProcess> clients() {
        List<WorkerProcess> all = new ArrayList<>(List.of(client));
        all.addAll(moreClients);
        return all;
    }

    WorkerProcess server() {
        return server;
    }

    WorkerProcess client() {
        return client;
    }

    /** All processes: those of the two programs, and the driver if there is one. */
    synchronized List<Integer> pids() {
        return processes.stream().map(WorkerProcess::pid).toList();
    }

    /** Makes the server listen, and returns its address. */
    String serve(Row row) throws IOException, InterruptedException {
        return server.ask("serve " + what(row), "listening")[1];
    }

    private static String what(Row row) {
        return row.kind() + " " + row.size();
    }

    /**
     * Opens connections between the server and each client: one client, unless more were added. The traffic begins when
     * all connections are open, because earlier traffic would delay the opening of the others.
     */
    void open(Row row, int connections, int busy) throws IOException, InterruptedException {
        String connect = "connect " + what(row) + " " + serve(row) + " " + connections + " " + busy;
        for (WorkerProcess one : clients()) {
            one.ask(connect, "connected");
        }
        for (WorkerProcess one : clients()) {
            one.tell("begin");
        }
        for (WorkerProcess one : clients()) {
            one.await("begun");
        }
    }

    /** Opens more connections, in steps that are short enough that the process does not seem to be stuck. */
    void grow(int connections) throws IOException, InterruptedException {
        for (int left = connections; left > 0; left -= 500) {
            client.ask("grow " + Math.min(500, left), "grown");
        }
    }

    /**
     * Ends the connections, and checks their transport and that no data were lost.
     *
     * @return the latencies that were measured
     */
    Histogram finish(Row row) throws IOException, InterruptedException {
        clientStat.check(client.pid(), transport.isOnPipeDevice());
        checkServer();
        Histogram latencies = null;
        String sent = "";
        for (WorkerProcess one : clients()) {
            one.tell("stop");
            String[] done = one.await("done");
            sent = done[1];
            Histogram its = decode(done[2]);
            if (latencies == null) {
                latencies = its;
            } else {
                latencies.add(its);
            }
        }
        String[] arrived = server.await("done");
        if (row.isStream() && !sent.equals(arrived[1])) {
            throw new IOException("sent " + sent + " bytes, but " + arrived[1] + " arrived");
        }
        return latencies;
    }

    /** Checks the transport of the server's connections since the last check. */
    void checkServer() throws IOException {
        serverStat.check(server.pid(), transport.isOnPipeDevice());
    }

    private static Histogram decode(String histogram) throws IOException {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(histogram)), 0);
        } catch (DataFormatException e) {
            throw new IOException("the client's histogram cannot be read", e);
        }
    }

    private synchronized void end() {
        ended = true;
        // The driver is closed last, because its clients detach from it.
        for (WorkerProcess process : processes.reversed()) {
            process.close();
        }
        processes.clear();
        if (scratch != null) {
            try (var files = Files.walk(scratch)) {
                for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                    Files.delete(file);
                }
            } catch (IOException e) {
                System.getLogger(NetLeg.class.getName())
                        .log(System.Logger.Level.WARNING, "cannot remove {0}: {1}", scratch, e.getMessage());
            }
            scratch = null;
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
