// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;

/** Joins drivers that may be late. */
public final class Joins {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private Joins() {}

    /** Joins the driver, and waits until that is done. */
    public static void join(Broker broker) throws InterruptedException {
        long until = System.nanoTime() + PATIENCE_NS;
        while (!broker.isJoined()) {
            assertTrue(System.nanoTime() < until, "the driver does not answer");
            // Waits for the driver's answer only once.
            broker.join();
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
