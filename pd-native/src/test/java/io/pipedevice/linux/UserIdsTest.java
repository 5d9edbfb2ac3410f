// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UserIdsTest {
    @TempDir
    private Path directory;

    @Test
    void anOverflowUidIdentifiesNoUser() throws IOException {
        Path file = directory.resolve("overflowuid");
        Files.writeString(file, "4711\n");
        int overflow = UserIds.overflowUid(file);
        assertFalse(UserIds.isSame(4711, 4711, overflow));
        assertFalse(UserIds.isSame(65534, 65534, overflow));
        assertTrue(UserIds.isSame(1000, 1000, overflow));
        assertFalse(UserIds.isSame(1000, 1001, overflow));
        assertFalse(UserIds.isKnown(4711, overflow));
    }

    @Test
    void anOverflowUidAboveTheSignedNumbersIsRead() throws IOException {
        Path file = directory.resolve("overflowuid");
        Files.writeString(file, "4294967294\n");
        assertEquals(-2, UserIds.overflowUid(file));
    }

    @Test
    void withoutTheFileTheDefaultIsTheOverflowUid() throws IOException {
        assertEquals(65534, UserIds.overflowUid(directory.resolve("missing")));
        Path file = directory.resolve("overflowuid");
        Files.writeString(file, "nonsense");
        assertEquals(65534, UserIds.overflowUid(file));
    }
}
