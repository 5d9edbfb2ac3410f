// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StraceTest {
    private static final String SUMMARY = """
            strace: Process 17 detached
            % time     seconds  usecs/call     calls    errors syscall
            ------ ----------- ----------- --------- --------- ----------------
             66.67    0.000052           1        41        12 poll
             33.33    0.000027           2        12           sendto
            ------ ----------- ----------- --------- --------- ----------------
            100.00    0.000079           1        53        12 total
            """;

    @Test
    void summaryIsReadByName() {
        assertEquals(Map.of("poll", 41L, "sendto", 12L), Strace.parse(SUMMARY));
    }

    @Test
    void processWithoutSystemCallsHasNoSummary() {
        assertEquals(Map.of(), Strace.parse(""));
    }

    @Test
    void systemCallsOfARunningProcessAreCounted() throws Exception {
        assumeTrue(Strace.isAvailable(), "strace is not installed");
        Process process = new ProcessBuilder("sh", "-c", "while sleep 0.05; do :; done").start();
        try (Strace strace = Strace.attach((int) process.pid())) {
            TimeUnit.MILLISECONDS.sleep(500);
            long calls =
                    strace.detach().values().stream().mapToLong(Long::longValue).sum();
            assertTrue(calls > 5, () -> calls + " calls");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
