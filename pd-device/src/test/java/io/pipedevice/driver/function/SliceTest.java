// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.message.MessageRun;
import org.junit.jupiter.api.Test;

final class SliceTest {
    @Test
    void aFunctionBeginsWithTheFewestInstructionsAndGetsMoreWhileTheyTakeLittleTime() {
        Slice slice = new Slice();
        assertEquals(MessageRun.LEAST_FUEL, slice.instructions());
        for (int i = 0; i < 10; i++) {
            slice.took(500, true);
        }
        assertEquals(2048, slice.instructions());
        slice.took(500, false);
        assertEquals(2048, slice.instructions());
    }

    @Test
    void codeThatTakesLongHasFewerInstructionsAtATime() {
        Slice slice = new Slice();
        for (int i = 0; i < 10; i++) {
            slice.took(500, true);
        }
        slice.took(200_000, true);
        assertTrue(slice.instructions() <= MessageRun.LEAST_FUEL, slice.instructions() + " instructions");
        slice.took(Long.MAX_VALUE / 4096, false);
        assertEquals(MessageRun.LEAST_FUEL, slice.instructions());
    }
}
