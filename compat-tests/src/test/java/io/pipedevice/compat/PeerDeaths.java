// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The connections of a program whose server is killed again and again. One thread. */
final class PeerDeaths {
    private static final long LIMIT_S = 60;

    /**
     * Reasons for a server that was just started: its port is open a moment before clients with PipeDevice find its
     * rings.
     */
    private static final String[] HALF_STARTED = {Counters.NO_RENDEZVOUS, Counters.NOT_PIPEDEVICE_PEER};

    /** In that moment a client makes each of its few connections once. */
    private static final int MOST_HALF_STARTED = 10;

    private final Program survivor;
    private int deaths;

    PeerDeaths(Program survivor) {
        this.survivor = survivor;
    }

    /** The number of the survivor's accelerated connections before there is a server again. */
    long accelerated() throws IOException {
        return new Counters(survivor).accelerated();
    }

    /** Checks that the survivor works, and has made accelerated connections since it had {@code accelerated}. */
    void survived(long accelerated) throws IOException {
        deaths++;
        await().atMost(LIMIT_S, TimeUnit.SECONDS)
                .untilAsserted(() -> assertTrue(accelerated() > accelerated, survivor::toString));
        check();
    }

    /** Checks that connections through the kernel met a server that was starting. */
    void check() throws IOException {
        check(survivor, deaths);
    }

    /** The same for a server to which clients connected while it was starting. */
    static void checkServer(Program server) throws IOException {
        check(server, 1);
    }

    private static void check(Program program, int times) throws IOException {
        Counters counters = new Counters(program);
        counters.acceleratedOr(HALF_STARTED);
        long kernel = counters.onKernel();
        assertTrue(kernel <= (long) times * MOST_HALF_STARTED, () -> program + ": " + kernel + " on the kernel");
    }
}
