// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.pipedevice.test.Together;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ModelFaultsTest {
    private static final int EACH = 20_000;

    private final ModelFaults faults = new ModelFaults();

    @Test
    void faultsThatSeveralThreadsPlanHappenOnceEach() throws Exception {
        Together.run(thread -> {
            for (int i = thread + 1; i <= Together.THREADS * EACH; i += Together.THREADS) {
                faults.at(i, ModelFaults.Kind.FAIL, i);
            }
        });
        for (int i = 1; i <= Together.THREADS * EACH; i++) {
            assertEquals(i, faults.take().value);
        }
        assertSame(ModelFaults.Fault.NONE, faults.take());
    }

    @Test
    void asManyInterruptsAreLostAsWerePlanned() throws Exception {
        AtomicInteger lost = new AtomicInteger();
        faults.loseInterrupts(Together.THREADS * EACH / 2);
        Together.run(lane -> {
            for (int i = 0; i < EACH; i++) {
                lost.addAndGet(faults.losesInterrupt() ? 1 : 0);
            }
        });
        assertEquals(Together.THREADS * EACH / 2, lost.get());
    }
}
