// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that take long to verify are refused after a bounded time, and delay only those of their own container. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class FunctionVerificationTest {
    private static final int ATTACHMENTS = 4;

    /** Each has one program verified, for 5 s at most, before that of another one. */
    private static final int CONTAINERS = 7;

    @TempDir
    Path directory;

    @Test
    void aProgramOfAnotherContainerIsVerifiedBeforeTheQueueOfOneContainer() throws IOException {
        try (ChildJvm driver = DriverProcess.start(directory, "-Xmx256m");
                ChildJvm hostile = CrowdedFunctions.start(directory, "unshare", "-n");
                ChildJvm honest = CrowdedFunctions.start(directory)) {
            assertTrue(driver.pid() > 0);
            CommandedProcess.ask(honest, "simple");
            CommandedProcess.ask(hostile, "complex " + ATTACHMENTS);
            Awaitility.await()
                    .atMost(100, TimeUnit.SECONDS)
                    .until(() -> Integer.parseInt(CommandedProcess.ask(hostile, "refused")) > 0);
            String problem = CommandedProcess.ask(hostile, "problem");
            assertTrue(problem.startsWith("ENOEXEC") && problem.contains("too complex"), problem);
            // On busy processors more end between the questions: then once again. A queue of all containers has three
            // before it.
            int fewest = Integer.MAX_VALUE;
            for (int i = 0; i < 5 && fewest >= ATTACHMENTS - 1; i++) {
                int before = Integer.parseInt(CommandedProcess.ask(hostile, "refused"));
                if (Long.parseLong(CommandedProcess.ask(honest, "simple")) >= 0) {
                    fewest = Math.min(fewest, Integer.parseInt(CommandedProcess.ask(hostile, "refused")) - before);
                } else {
                    // So busy that one verification of two seconds takes half a minute.
                    String late = CommandedProcess.ask(honest, "problem");
                    assertTrue(late.startsWith("EAGAIN"), late);
                }
            }
            assertTrue(fewest < ATTACHMENTS - 1, fewest + " were verified before it");
        }
    }

    @Test
    void aProgramThatWaitsForManyContainersIsRefusedAndItsAttachmentLives() throws IOException {
        try (ChildJvm driver = DriverProcess.start(directory, "-Xmx256m");
                ChildJvm honest = CrowdedFunctions.start(directory)) {
            assertTrue(driver.pid() > 0);
            CommandedProcess.ask(honest, "simple");
            List<ChildJvm> hostile = new ArrayList<>();
            try {
                for (int i = 0; i < CONTAINERS; i++) {
                    hostile.add(CrowdedFunctions.start(directory, "unshare", "-n"));
                }
                for (ChildJvm each : hostile) {
                    CommandedProcess.ask(each, "complex 2");
                }
                Awaitility.await()
                        .atMost(100, TimeUnit.SECONDS)
                        .until(() -> Integer.parseInt(CommandedProcess.ask(hostile.getFirst(), "refused")) > 0);
                if (Long.parseLong(CommandedProcess.ask(honest, "simple")) < 0) {
                    String problem = CommandedProcess.ask(honest, "problem");
                    assertTrue(problem.startsWith("EAGAIN"), problem);
                }
            } finally {
                hostile.forEach(ChildJvm::close);
            }
            long last = Long.parseLong(CommandedProcess.ask(honest, "simple"));
            assertTrue(last >= 0, CommandedProcess.ask(honest, "problem"));
        }
    }
}
