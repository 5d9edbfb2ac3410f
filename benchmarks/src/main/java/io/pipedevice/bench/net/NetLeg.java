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
 * One run of one transport: its processes. Used by one thread. {@link #close} ends them and removes what they left; when
 * this process is told to end, that happens too.
 */
final class NetLeg implements AutoCloseable {
    /** Raises the limit of open files, where that is allowed; the JVM goes up to it. */
    private static final String MORE_FILES = "[ $(ulimit -Hn) = unlimited ] || [ $(ulimit -Hn) -ge 100000 ] || "
            + "{ (ulimit -n 100000) 2>/dev/null && ulimit -n 100000; }";

    private static final String UNAVAILABLE = "unavailable ";

    private final NetTransport transport;
    private final Thread closesAtTheEnd = new Thread(this::end, "bench-clean-up");
    private final Acceleration serverStat = new Acceleration();
    private final Acceleration clientStat = new Acceleration();

    /** In the order of their start. Guarded by this, as the rest is. */
    private final List<WorkerProcess> processes = new ArrayList<>();

    private WorkerProcess server;
    private WorkerProcess client;
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
                // On a machine with one processor it would stay off.
                flags.add("-Dpipedevice.enabled=true");
                if (options.driver()) {
                    flags.add("-Dpipedevice.driver=" + leg.startDriver());
                }
            }
            leg.server = leg.add("server", flags);
            leg.client = leg.add("client", flags);
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

    private WorkerProcess add(String role, List<String> flags)
            throws IOException, InterruptedException, UnavailableException {
        WorkerProcess process;
        synchronized (this) {
            if (ended) {
                throw new IOException("the benchmark is ending");
            }
            process = WorkerProcess.start(role, command(role, flags));
            processes.add(process);
        }
        String line = process.awaitLine("ready");
        if (line.startsWith(UNAVAILABLE)) {
            throw new UnavailableException(line.substring(UNAVAILABLE.length()));
        }
        if (!line.equals("ready")) {
            throw new IOException("the " + role + " process failed: " + line);
        }
        return process;
    }

    private List<String> command(String role, List<String> flags) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", MORE_FILES + "; exec \"$@\"", "sh"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", ClassPath.ofPrograms(), Program.class.getName()));
        command.addAll(List.of(role, transport.stack(), scratch.toString()));
        return command;
    }

    WorkerProcess server() {
        return server;
    }

    WorkerProcess client() {
        return client;
    }

    /** All processes: of the two programs, and of the driver if there is one. */
    synchronized List<Integer> pids() {
        return processes.stream().map(WorkerProcess::pid).toList();
    }

    void open(Row row, int connections, int busy) throws IOException, InterruptedException {
        String what = row.kind() + " " + row.size();
        String address = server.ask("serve " + what, "listening")[1];
        client.ask("connect " + what + " " + address + " " + connections + " " + busy, "connected");
    }

    /** Opens more; not so many at a time that it looks as if the process were stuck. */
    void grow(int connections) throws IOException, InterruptedException {
        for (int left = connections; left > 0; left -= 500) {
            client.ask("grow " + Math.min(500, left), "grown");
        }
    }

    /**
     * Ends the connections, and checks where they were and that nothing was lost.
     *
     * @return the latencies that were measured
     */
    Histogram finish(Row row) throws IOException, InterruptedException {
        clientStat.check(client.pid(), transport.isOnPipeDevice());
        serverStat.check(server.pid(), transport.isOnPipeDevice());
        client.tell("stop");
        String[] sent = client.await("done");
        String[] arrived = server.await("done");
        if (row.isStream() && !sent[1].equals(arrived[1])) {
            throw new IOException("sent " + sent[1] + " bytes, but " + arrived[1] + " arrived");
        }
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(sent[2])), 0);
        } catch (DataFormatException e) {
            throw new IOException("the client's histogram cannot be read", e);
        }
    }

    private synchronized void end() {
        ended = true;
        // The driver comes last, as its clients take their leave of it.
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
            // The process is ending: the hook finds nothing left to do.
            return;
        }
    }
}
