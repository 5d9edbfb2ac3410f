// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

final class PauseTest {
    @Test
    void anInterruptedThreadPausesAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long begin = System.nanoTime();
            long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            Pause.park(this, 20_000_000);
            least = Math.min(least, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu);
            assertTrue(System.nanoTime() - begin >= 20_000_000);
        }
        assertTrue(least < 10_000_000, "the thread ran for " + least + " ns");
        assertTrue(Thread.interrupted());
    }
}
