// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.WorkerProcess;
import io.pipedevice.bench.core.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One run of one transport: its processes. Used by one thread. {@link #close} ends them and removes their files; that
 * also happens when this process is about to end.
 */
final class NetLeg implements AutoCloseable {
    private static final int STARTS_AT_A_TIME = 10;
    private static final String UNAVAILABLE = "unavailable ";

    private final NetTransport transport;

    /** Whether its connections must be accelerated. */
    private final boolean accelerates;

    private final Thread closesAtTheEnd = new Thread(this::end, "bench-clean-up");

    /** Sorted by the time of their start. Guarded by this, like the other fields. */
    private final List<WorkerProcess> processes = new ArrayList<>();

    /** Null before it is made, and after the end. */
    private Site site;

    /** Null before the processes are started. */
    private LegCommands commands;

    private WorkerProcess driver;
    private WorkerProcess server;
    private WorkerProcess client;

    /** Clients in addition to {@link #client}. */
    private final List<WorkerProcess> moreClients = new ArrayList<>();

    /** Null before the processes are started. */
    private LegTraffic traffic;

    private Path scratch;
    private boolean ended;

    private NetLeg(NetTransport transport, Setting setting) {
        this.transport = transport;
        this.accelerates = transport.isOnPipeDevice() && setting.accelerates();
    }

    /**
     * Starts the processes.
     *
     * @throws UnavailableException if the transport does not run here
     */
    static NetLeg start(NetTransport transport, Setting setting, NetOptions options)
            throws IOException, InterruptedException, UnavailableException {
        NetLeg leg = new NetLeg(transport, setting);
        Runtime.getRuntime().addShutdownHook(leg.closesAtTheEnd);
        try {
            leg.makeSite();
            Path directory = null;
            Optional<List<String>> driverFlags = transport.driverFlags(options);
            if (driverFlags.isPresent()) {
                directory = Files.createDirectory(leg.scratch.resolve("driver"));
                if (setting.hasDriver()) {
                    leg.startDriver(RateLimit.flags(driverFlags.get(), setting.gigabits(), leg.scratch), directory);
                }
            }
            leg.startPrograms(setting, options.javaOptions(), directory);
            return leg;
        } catch (IOException | InterruptedException | RuntimeException | UnavailableException e) {
            leg.close();
            throw e;
        }
    }

    private synchronized void makeSite() throws IOException, InterruptedException, UnavailableException {
        requireNotEnded();
        scratch = Files.createTempDirectory("pipedevice-bench-");
        site = transport.site(Files.createDirectory(scratch.resolve("site")));
    }

    private void startDriver(List<String> flags, Path directory) throws IOException, InterruptedException {
        synchronized (this) {
            requireNotEnded();
            driver = Worker.start("driver", flags, "driver", directory.toString());
            processes.add(driver);
        }
        driver.await("ready");
    }

    /** Starts a server and a client, and the bystander if there is one; the directory of the driver may be null. */
    private void startPrograms(Setting setting, List<String> javaOptions, Path directory)
            throws IOException, InterruptedException, UnavailableException {
        synchronized (this) {
            requireNotEnded();
            commands = new LegCommands(transport, setting, javaOptions, site, scratch, directory);
        }
        WorkerProcess bystander = null;
        if (directory != null && !setting.serverHasPipeDevice()) {
            bystander = add("server", commands.bystander());
        }
        server = add("server", commands.server());
        client = add("client", commands.client());
        traffic = new LegTraffic(this, bystander);
    }

    private WorkerProcess add(String role, List<String> command)
            throws IOException, InterruptedException, UnavailableException {
        WorkerProcess process = start(role, command);
        awaitReady(process, role);
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

    private void requireNotEnded() throws IOException {
        if (ended) {
            throw new IOException("the benchmark is ending");
        }
    }

    /**
     * Starts a program of the samples, which ends with this leg if {@link #end(WorkerProcess)} has not ended it before.
     *
     * @param atServer whether in the server's place, else in the clients'
     */
    WorkerProcess sample(boolean atServer, Class<?> program, String... args) throws IOException {
        return start(program.getSimpleName(), commands.sample(atServer, program, args));
    }

    /** The same for a program that uses PD Lib, which needs no agent. */
    WorkerProcess libSample(boolean atServer, Class<?> program, String... args) throws IOException {
        return start(program.getSimpleName(), commands.libSample(atServer, program, args));
    }

    /**
     * Starts a program with libraries of its own, which is a sample otherwise.
     *
     * @param name for messages
     * @param environment additional variables, each as {@code NAME=value}
     * @param words after the flags of the transport: further flags, a class path, a main class and its arguments
     */
    WorkerProcess foreign(boolean atServer, String name, List<String> environment, List<String> words)
            throws IOException {
        return start(name, commands.foreign(atServer, environment, words));
    }

    /** Makes a directory that ends with this leg. */
    synchronized Path directory() throws IOException {
        requireNotEnded();
        return Files.createTempDirectory(scratch, "of-program-");
    }

    private synchronized WorkerProcess start(String name, List<String> command) throws IOException {
        requireNotEnded();
        WorkerProcess process = WorkerProcess.start(name, command);
        processes.add(process);
        return process;
    }

    synchronized void end(WorkerProcess process) {
        processes.remove(process);
        process.close();
    }

    Site site() {
        return site;
    }

    /** The address of a sample that listens. */
    String host(boolean atServer) {
        return atServer ? site.host() : site.clientHost();
    }

    /** Whether connections must be accelerated. */
    boolean accelerates() {
        return accelerates;
    }

    /** The command line of another client on this transport. */
    List<String> client(Class<?> program, String... args) {
        return commands.sample(false, program, args);
    }

    /** Starts more clients, a few at a time, because otherwise the last would not be ready in time. */
    void addClients(int count) throws IOException, InterruptedException {
        try {
            while (moreClients.size() < count) {
                List<WorkerProcess> some = new ArrayList<>();
                while (some.size() < STARTS_AT_A_TIME && moreClients.size() + some.size() < count) {
                    some.add(start("client", commands.client()));
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

    /** The driver, or nothing. */
    List<Integer> driverPids() {
        return driver == null ? List.of() : List.of(driver.pid());
    }

    /** What the server and the clients send each other. */
    LegTraffic traffic() {
        return traffic;
    }

    private synchronized void end() {
        ended = true;
        // The driver is closed last, because its clients detach from it.
        for (WorkerProcess process : processes.reversed()) {
            process.close();
        }
        processes.clear();
        if (site != null) {
            site.close();
            site = null;
        }
        if (scratch != null) {
            ScratchFiles.delete(scratch);
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
