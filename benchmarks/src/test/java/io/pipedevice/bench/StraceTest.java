// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StraceTest {
    private static final int ROUNDS = 20;

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
        Process process = new ProcessBuilder("cat").start();
        try (Strace strace = Strace.attach((int) process.pid());
                OutputStream to = process.getOutputStream();
                InputStream from = process.getInputStream()) {
            for (int i = 0; i < ROUNDS; i++) {
                to.write(i);
                to.flush();
                assertEquals(i, from.read());
            }
            long calls =
                    strace.detach().values().stream().mapToLong(Long::longValue).sum();
            assertTrue(calls >= ROUNDS, () -> calls + " calls");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
