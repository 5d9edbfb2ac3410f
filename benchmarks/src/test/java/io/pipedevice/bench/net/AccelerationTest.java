// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AccelerationTest {
    @Test
    void everyConnectionMustBeWhereTheReportSays() {
        assertDoesNotThrow(() -> Acceleration.judge(1, Map.of(), true));
        assertDoesNotThrow(() -> Acceleration.judge(0, Map.of(), false));
        assertThrows(IOException.class, () -> Acceleration.judge(0, Map.of(), true));
        assertThrows(IOException.class, () -> Acceleration.judge(1, Map.of(), false));
    }

    @Test
    void oneConnectionOnTheKernelFailsTheRunWithItsReason() {
        IOException failure =
                assertThrows(IOException.class, () -> Acceleration.judge(9999, Map.of("no memory", 1L), true));
        assertTrue(failure.getMessage().contains("no memory=1"), failure::getMessage);
    }
}
