// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import io.pipedevice.bench.regret.program.Work;
import java.io.IOException;
import java.util.List;

/** Two processes of a variant: a client and its server. Used by one thread; {@link #close} ends them. */
final class Pair implements AutoCloseable {
    private final Variant variant;
    private final RegretProcess server;
    private final RegretProcess client;

    private Pair(Variant variant, RegretProcess server, RegretProcess client) {
        this.variant = variant;
        this.server = server;
        this.client = client;
    }

    /** Starts both at a time. */
    static Pair start(Variant variant, Stage stage) throws IOException, InterruptedException {
        boolean serverHas = stage.programServes() ? variant.isInProgram() : variant.isInPeer();
        boolean clientHas = stage.programServes() ? variant.isInPeer() : variant.isInProgram();
        RegretProcess server = RegretProcess.start("server", serverHas, stage);
        Pair pair;
        try {
            pair = new Pair(variant, server, RegretProcess.start("client", clientHas, stage));
        } catch (IOException e) {
            server.close();
            throw e;
        }
        try {
            pair.server.awaitReady();
            pair.client.awaitReady();
            return pair;
        } catch (IOException | InterruptedException e) {
            pair.close();
            throw e;
        }
    }

    /** Begins some work, whose traffic {@link #run} drives. */
    void open(Work work, int count) throws IOException, InterruptedException {
        client.open(work, count, server.serve(work, count));
    }

    /** Drives the traffic for a while, and returns how often by second. */
    double run(long millis) throws IOException, InterruptedException {
        return client.run(millis);
    }

    /**
     * Ends the work, and checks that its connections were where the variant has them. If not, the rows of
     * that work fail for this variant.
     */
    void finish(List<Row> rows, Ratios ratios) throws IOException, InterruptedException {
        try {
            server.check(variant == Variant.RINGS);
            client.check(variant == Variant.RINGS);
        } catch (IOException e) {
            rows.forEach(row -> ratios.fail(row, variant, e.getMessage()));
        }
        client.finish();
        server.finish();
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
