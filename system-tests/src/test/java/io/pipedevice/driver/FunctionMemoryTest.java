// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Functions of one process fill neither the heap of a driver nor the memory beside it. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class FunctionMemoryTest {
    /** A quarter of what the unit ships, so that a quarter of the functions fills it. */
    private static final String HEAP = "64m";

    @TempDir
    Path directory;

    private ChildJvm driver;
    private ChildJvm hostile;
    private ChildJvm honest;

    @BeforeEach
    void start() throws IOException {
        driver = DriverProcess.start(directory, "-Xmx" + HEAP);
        hostile = CrowdedFunctions.start(directory);
        honest = CrowdedFunctions.start(directory);
    }

    @AfterEach
    void end() {
        for (ChildJvm each : new ChildJvm[] {honest, hostile, driver}) {
            if (each != null) {
                each.close();
            }
        }
    }

    @Test
    void runsThatWereUsedByOneProcessLeaveMemoryForTheCallsOfOthers() throws IOException {
        for (int i = 0; i < 9; i++) {
            String ends = CommandedProcess.ask(hostile, "crowd 8");
            assertTrue(ends.startsWith("lost 0 "), i + ": " + ends);
        }
        assertEquals("lost 0 FUEL 120", CommandedProcess.ask(honest, "crowd 2"));
    }

    @Test
    void programsOfOneProcessLeaveRoomInTheHeapForOthers() throws IOException {
        int taken = Integer.parseInt(CommandedProcess.ask(hostile, "long 24 65536"));
        String problem = CommandedProcess.ask(hostile, "problem");
        assertTrue(taken > 0, taken + " programs, " + problem);
        assertTrue(taken < 24 && problem.startsWith("ENOBUFS"), taken + " programs, " + problem);
        assertFalse(problem.contains("OutOfMemoryError"), problem);
        long took = Long.parseLong(CommandedProcess.ask(honest, "attach"));
        assertTrue(took < 5000, took + " ms");
        assertTrue(Long.parseLong(CommandedProcess.ask(honest, "simple")) >= 0);
    }
}
