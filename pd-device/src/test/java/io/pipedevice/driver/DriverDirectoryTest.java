// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DriverDirectoryTest {
    @TempDir
    private Path directory;

    @Test
    void anotherProcessIsKeptOut() throws IOException {
        try (ChildJvm driver = DriverProcess.start(directory)) {
            assertEquals(refusal(driver.pid()), refused());
        }
        assertFree();
    }

    @Test
    @SuppressWarnings("try")
    void aSecondAttemptOfTheSameProcessIsRefusedAndDoesNotCostItTheLock() throws IOException {
        try (DriverDirectory mine = DriverDirectory.take(directory)) {
            assertEquals(refusal(ProcessHandle.current().pid()), refused());
            IOException other = assertThrows(
                    IOException.class, () -> DriverProcess.start(directory).close());
            assertTrue(
                    other.getMessage().contains(refusal(ProcessHandle.current().pid())), other.getMessage());
            mine.socket().close();
        }
        assertFree();
    }

    private String refusal(long pid) {
        return "another driver runs on " + directory + ": pid " + pid;
    }

    private String refused() {
        return assertThrows(IOException.class, () -> DriverDirectory.take(directory))
                .getMessage();
    }

    private void assertFree() throws IOException {
        DriverDirectory again = DriverDirectory.take(directory);
        again.socket().close();
        again.close();
    }
}
