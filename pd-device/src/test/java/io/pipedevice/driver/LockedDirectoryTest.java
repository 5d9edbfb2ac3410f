// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LockedDirectoryTest {
    @TempDir
    private Path directory;

    @Test
    void anotherProcessIsKeptOut() throws IOException {
        try (ChildJvm driver = startHolder()) {
            assertEquals(refusal(driver.pid()), refused());
        }
        assertFree();
    }

    @Test
    @SuppressWarnings("try")
    void aSecondAttemptOfTheSameProcessIsRefusedAndDoesNotCostItTheLock() throws IOException {
        try (LockedDirectory mine = LockedDirectory.take(directory)) {
            assertEquals(refusal(ProcessHandle.current().pid()), refused());
            IOException other =
                    assertThrows(IOException.class, () -> startHolder().close());
            assertTrue(
                    other.getMessage().contains(refusal(ProcessHandle.current().pid())), other.getMessage());
            mine.socket().close();
        }
        assertFree();
    }

    /**
     * Without this check, a user that may write to the directory could make the driver truncate any file that the
     * driver may write.
     */
    @Test
    void aLinkIsNoLock() throws IOException {
        Path other = Files.writeString(directory.resolve("other"), "somebody's");
        Path place = Files.createDirectory(directory.resolve("place"));
        Files.createSymbolicLink(place.resolve("driver.lock"), other);
        String why = assertThrows(IOException.class, () -> LockedDirectory.take(place))
                .getMessage();
        assertTrue(why.startsWith("the driver's directory " + place + " cannot be written: "), why);
        assertEquals("somebody's", Files.readString(other));
    }

    @Test
    void aDirectoryOfAnotherUserIsRefused() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may give a directory away");
        Path place = Files.createDirectory(directory.resolve("place"));
        Files.setAttribute(place, "unix:uid", 65533);
        String why = assertThrows(IOException.class, () -> LockedDirectory.take(place))
                .getMessage();
        assertEquals(
                "the driver's directory " + place + " belongs to user 65533, which could replace the driver; it"
                        + " must belong to this user or to root",
                why);
    }

    @ParameterizedTest
    @CsvSource({"rwxrwx---, true", "rwxr-xrwx, true", "rwxr-x---, false", "rwx------, false"})
    @SuppressWarnings("try")
    void aDirectoryThatOthersMayWriteIsWarnedOf(String mode, boolean warned) throws IOException {
        Path place = Files.createDirectory(directory.resolve("place"));
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString(mode));
        try (DriverLog log = new DriverLog();
                LockedDirectory mine = LockedDirectory.take(place)) {
            assertEquals(
                    warned,
                    log.has(System.Logger.Level.WARNING, "others may write the driver's directory " + place),
                    () -> "log: " + log.messages(System.Logger.Level.WARNING));
            mine.socket().close();
        }
    }

    private String refusal(long pid) {
        return "another driver runs on " + directory + ": pid " + pid;
    }

    private String refused() {
        return assertThrows(IOException.class, () -> LockedDirectory.take(directory))
                .getMessage();
    }

    private void assertFree() throws IOException {
        LockedDirectory again = LockedDirectory.take(directory);
        again.socket().close();
        again.close();
    }

    /** Starts a process that has taken the directory when this returns. */
    private ChildJvm startHolder() throws IOException {
        ChildJvm holder = ChildJvm.start(Holder.class, directory.toString());
        try {
            holder.expect(Holder.TAKEN);
            return holder;
        } catch (IOException e) {
            holder.close();
            throw e;
        }
    }

    /** Takes a directory and keeps it until its input ends. */
    static final class Holder {
        private static final String TAKEN = "TAKEN";

        @SuppressWarnings("try")
        public static void main(String[] arguments) throws IOException {
            try (LockedDirectory taken = LockedDirectory.take(Path.of(arguments[0]))) {
                System.out.println(TAKEN);
                System.in.read();
            }
        }
    }
}
