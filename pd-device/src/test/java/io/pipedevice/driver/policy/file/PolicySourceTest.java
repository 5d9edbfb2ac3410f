// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.driver.policy.Policy;
import io.pipedevice.driver.policy.UserRule;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class PolicySourceTest {
    private static final String DIRECT = "default: direct";
    private static final String DEVICE = "default: device";
    private static final String BROKEN = "default: direkt";

    static {
        DriverLog.quiet();
    }

    @TempDir
    private Path directory;

    private static DataPath pathOf(PolicySource source) {
        return source.rule(null, null).path();
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("policy.yaml"), text);
    }

    @Test
    void aChangedFileComesIntoForceWhenItWasSeenTwice() throws Exception {
        PolicySource source = PolicySource.of(file(DIRECT));
        Policy before = source.current();
        assertFalse(source.look());
        file(DEVICE);
        assertFalse(source.look());
        assertSame(before, source.current());
        assertTrue(source.look());
        assertNotSame(before, source.current());
        assertEquals(DataPath.DEVICE, pathOf(source));
        assertEquals(1, source.reloads());
        assertFalse(source.look());
    }

    @Test
    void aBrokenFileChangesNothingAndIsCountedOnce() throws Exception {
        PolicySource source = PolicySource.of(file(DIRECT));
        file(BROKEN);
        assertFalse(source.look());
        try (DriverLog log = new DriverLog()) {
            assertTrue(source.look());
            assertTrue(log.has(
                    System.Logger.Level.WARNING, "policy.yaml:1: default of the policy: direkt; allowed: direct"));
        }
        assertFalse(source.look());
        assertEquals(DataPath.DIRECT, pathOf(source));
        assertEquals(1, source.failures());
        file(DEVICE);
        assertFalse(source.look());
        assertTrue(source.look());
        assertEquals(DataPath.DEVICE, pathOf(source));
        // Also back to what was in force before the broken one.
        file(BROKEN);
        source.look();
        source.look();
        file(DEVICE);
        source.look();
        assertTrue(source.look());
        assertEquals(DataPath.DEVICE, pathOf(source));
        assertEquals(2, source.reloads());
        assertEquals(2, source.failures());
    }

    @Test
    void aMissingFileChangesNothing() throws Exception {
        PolicySource source = PolicySource.of(file(DIRECT));
        Files.delete(directory.resolve("policy.yaml"));
        assertFalse(source.look());
        assertTrue(source.look());
        assertFalse(source.look());
        assertEquals(1, source.failures());
        file(DIRECT);
        assertFalse(source.look());
        assertFalse(source.look());
        assertEquals(DataPath.DIRECT, pathOf(source));
        assertEquals(0, source.reloads());
    }

    /** The files of a mounted ConfigMap are links to ..data/NAME, and ..data is a link to the version. */
    @Test
    void aConfigMapChangesByALink() throws Exception {
        Path old = Files.createDirectory(directory.resolve("..2026_01"));
        Path next = Files.createDirectory(directory.resolve("..2026_02"));
        Files.writeString(old.resolve("policy.yaml"), DIRECT);
        Files.writeString(next.resolve("policy.yaml"), DEVICE);
        Files.createSymbolicLink(directory.resolve("..data"), old.getFileName());
        Path file = Files.createSymbolicLink(directory.resolve("policy.yaml"), Path.of("..data/policy.yaml"));
        PolicySource source = PolicySource.of(file);
        Files.createSymbolicLink(directory.resolve("..data_tmp"), next.getFileName());
        Files.move(
                directory.resolve("..data_tmp"),
                directory.resolve("..data"),
                java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        assertFalse(source.look());
        assertTrue(source.look());
        assertEquals(DataPath.DEVICE, pathOf(source));
    }

    @Test
    void theThreadLooksByItself() throws Exception {
        CountDownLatch changed = new CountDownLatch(1);
        try (PolicySource source = PolicySource.of(file(DIRECT))) {
            source.watch(changed::countDown);
            file(DEVICE);
            changed.await();
            assertEquals(DataPath.DEVICE, pathOf(source));
        }
    }

    @Test
    void aBrokenFileAtTheStartIsAnError() throws IOException {
        Path file = file(BROKEN);
        String message =
                assertThrows(PolicyException.class, () -> PolicySource.of(file)).getMessage();
        assertEquals(file + ":1: default of the policy: direkt; allowed: direct, device, kernel", message);
    }

    @Test
    void aPolicyWithoutAFileHasNoThread() {
        try (PolicySource source = PolicySource.fixed("any", new UserRule(true, DataPath.DIRECT))) {
            source.watch(() -> {});
            assertEquals(DataPath.DIRECT, pathOf(source));
        }
    }
}
