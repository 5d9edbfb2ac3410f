// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RunQueueTest {
    private static int threads(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
        return RunQueue.threads(MemorySegment.ofArray(bytes), bytes.length);
    }

    @Test
    void theThreadsAreTheNumberBeforeTheSlash() {
        assertEquals(1, threads("0.20 0.18 0.12 1/80 11206\n"));
        assertEquals(128, threads("8.43 16.78 11.42 128/307 10404\n"));
    }

    @Test
    void aLineWithoutThemIsUnknown() {
        assertEquals(0, threads(""));
        assertEquals(0, threads("0.20 0.18 0.12"));
        assertEquals(0, threads("/"));
    }

    @Test
    void theProcessorsOfAListAreCounted() {
        assertEquals(1, RunQueue.online("0\n"));
        assertEquals(8, RunQueue.online("0-7\n"));
        assertEquals(7, RunQueue.online("0-3,5,8-9\n"));
    }

    @Test
    void thisMachineHasAtLeastTheCallingThread() {
        RunQueue queue = RunQueue.open();
        assertTrue(queue.threads() >= 1);
        assertTrue(queue.processors() >= Runtime.getRuntime().availableProcessors());
    }
}
