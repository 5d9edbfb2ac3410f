// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.DriverLog;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one process can write into a driver's log is bounded, whatever it does. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LogBoundTest {
    private static final int TIMES = 300;

    /** Lines of attachments that come and go in one minute; see AttachedProcesses. */
    private static final int NORMAL_LINES = 100;

    @Test
    void aProcessThatBreaksEachRuleCausesOneLineAMinuteOfEachKind() throws Exception {
        try (DriverLog log = new DriverLog();
                TestDriver driver = new TestDriver()) {
            long startNs = System.nanoTime();
            try (ChildJvm noisy =
                    ChildJvm.start(NoisyProcess.class, driver.directory.toString(), Integer.toString(TIMES))) {
                assertTrue(noisy.exits(240), () -> "it said " + noisy.said());
                assertTrue(noisy.hasSaid("DONE"), () -> "it said " + noisy.said());
            }
            driver.awaitCounter(CounterType.PROCESSES, 0);
            assertTrue(driver.counter(CounterType.DETACHED) >= TIMES);
            long minutes = 1 + TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - startNs);
            System.out.println(log.messages(Level.INFO).size() + " lines, warnings: " + log.messages(Level.WARNING));
            assertLines(log, Level.WARNING, "a process that has not attached is disconnected", 1, minutes);
            assertLines(log, Level.WARNING, "is detached", 1, minutes);
            assertLines(log, Level.WARNING, "a process is not admitted", 1, minutes);
            assertLines(log, Level.INFO, ") attached", 1, NORMAL_LINES * minutes);
            assertLines(log, Level.INFO, " left with ", 1, NORMAL_LINES * minutes);
            assertEquals(List.of(), log.messages(Level.ERROR));
        }
    }

    private static void assertLines(DriverLog log, Level level, String text, long least, long most) {
        long lines = log.messages(level).stream()
                .filter(message -> message.contains(text))
                .count();
        assertTrue(lines >= least && lines <= most, () -> lines + " lines of \"" + text + '"');
    }
}
