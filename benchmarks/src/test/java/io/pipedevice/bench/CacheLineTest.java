// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CacheLineTest {
    @Test
    void isMeasuredWhereThereAreTwoProcessors() throws InterruptedException {
        double nanos = CacheLine.roundTripNanos();
        assertEquals(Runtime.getRuntime().availableProcessors() < 2, Double.isNaN(nanos));
        assertTrue(Double.isNaN(nanos) || nanos > 0, () -> nanos + " ns");
    }
}
