// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.test.Together;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class DeviceHealthTest {
    private static final int EACH = 100_000;

    @Test
    void interruptsReportedBySeveralThreadsAddUp() throws Exception {
        DeviceHealth health = new DeviceHealth("played");
        Together.run(thread -> {
            for (int i = 0; i < EACH; i++) {
                health.interrupted();
            }
        });
        assertEquals(Together.THREADS * EACH, health.interrupts());
    }
}
