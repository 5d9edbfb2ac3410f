// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import io.pipedevice.bench.WorkerProcess;
import io.pipedevice.bench.net.Acceleration;
import io.pipedevice.bench.regret.program.RegretProgram;
import io.pipedevice.bench.regret.program.Work;
import java.io.IOException;
import java.util.List;

/** A {@link RegretProgram} in a process of its own. Used by one thread; {@link #close} ends the process. */
final class RegretProcess implements AutoCloseable {
    private final WorkerProcess process;

    /** Null if its processors are not limited. */
    private final ProcessorGroup group;

    private final Acceleration acceleration = new Acceleration();

    private RegretProcess(WorkerProcess process, ProcessorGroup group) {
        this.process = process;
        this.group = group;
    }

    /**
     * Starts one, which is not ready yet.
     *
     * @param name for messages
     * @param hasFlag whether it runs with PipeDevice
     * @param stage for which it runs
     */
    static RegretProcess start(String name, boolean hasFlag, Stage stage) throws IOException {
        List<String> command = StartLine.of(hasFlag, stage.flags(), RegretProgram.class);
        if (!stage.isLimited()) {
            return new RegretProcess(WorkerProcess.start(name, command), null);
        }
        ProcessorGroup group = ProcessorGroup.create();
        try {
            return new RegretProcess(WorkerProcess.start(name, group.enter(command)), group);
        } catch (IOException e) {
            group.close();
            throw e;
        }
    }

    void awaitReady() throws IOException, InterruptedException {
        process.await("ready");
    }

    /** Makes it serve, and returns its port. */
    int serve(Work work, int count) throws IOException, InterruptedException {
        return Integer.parseInt(process.ask("serve " + work + " " + count, "listening")[1]);
    }

    /** Makes it the client of what serves at a port. */
    void open(Work work, int count, int port) throws IOException, InterruptedException {
        process.ask("open " + work + " " + count + " " + port, "opened");
    }

    /** Lets a client drive the traffic for a while, and returns how often by second. */
    double run(long millis) throws IOException, InterruptedException {
        String[] ran = process.ask("run " + millis, "ran");
        return Long.parseLong(ran[1]) / (Long.parseLong(ran[2]) / 1e9);
    }

    /** Ends what serves or what is open. */
    void finish() throws IOException, InterruptedException {
        process.ask("close", "closed");
    }

    /** Checks that the connections since the last check were on rings, or that none was. */
    void check(boolean onRings) throws IOException {
        acceleration.check(process.pid(), onRings);
    }

    @Override
    public void close() {
        process.close();
        if (group != null) {
            try {
                group.close();
            } catch (IOException e) {
                System.getLogger(RegretProcess.class.getName())
                        .log(System.Logger.Level.WARNING, "cannot remove a control group: {0}", e.getMessage());
            }
        }
    }
}
