// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.jdk.Foreign;
import io.pipedevice.test.Together;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DeviceFileTest {
    /** FIONREAD: the number of bytes that can be read. */
    private static final int FIONREAD = 0x541B;

    @TempDir
    private Path directory;

    private DeviceFile file(int length) throws Exception {
        return DeviceFile.open(
                Files.write(directory.resolve("device"), new byte[length]).toString());
    }

    @Test
    void whatIsWrittenIsReadAndMapped() throws Exception {
        int page = (int) Memory.pageSize();
        try (DeviceFile file = file(2 * page);
                Arena arena = Arena.ofShared()) {
            file.write(Foreign.ints(arena, 1234), page + 8);
            MemorySegment read = arena.allocate(ValueLayout.JAVA_INT);
            file.read(read, page + 8);
            assertEquals(1234, read.get(ValueLayout.JAVA_INT, 0));
            MemorySegment mapped = file.map(page, page, arena);
            assertEquals(1234, mapped.get(ValueLayout.JAVA_INT, 8));
            mapped.set(ValueLayout.JAVA_INT, 8, 5678);
            file.read(read, page + 8);
            assertEquals(5678, read.get(ValueLayout.JAVA_INT, 0));
        }
    }

    @Test
    void driverIsCalledWithAStructure() throws Exception {
        try (DeviceFile file = file(77);
                Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
            assertEquals(0, file.ioctl("FIONREAD", FIONREAD, count));
            assertEquals(77, count.get(ValueLayout.JAVA_INT, 0));
            LinuxException refused = assertThrows(LinuxException.class, () -> file.ioctl("NONSENSE", 0x3B64, 0));
            assertEquals(Errno.ENOTTY, refused.errno());
            assertTrue(refused.getMessage().startsWith("NONSENSE"), refused::getMessage);
        }
    }

    @Test
    void severalThreadsReadWhatEachHasWritten() throws Exception {
        try (DeviceFile file = file(Together.THREADS * Long.BYTES)) {
            Together.run(thread -> {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment word = arena.allocate(ValueLayout.JAVA_LONG);
                    long at = (long) thread * Long.BYTES;
                    for (long round = 0; round < 5000; round++) {
                        word.set(ValueLayout.JAVA_LONG, 0, round << 8 | thread);
                        file.write(word, at);
                        word.fill((byte) 0);
                        file.read(word, at);
                        assertEquals(round << 8 | thread, word.get(ValueLayout.JAVA_LONG, 0));
                    }
                }
            });
        }
    }

    @Test
    void endOfTheFileIsAnError() throws Exception {
        try (DeviceFile file = file(6);
                Arena arena = Arena.ofConfined()) {
            MemorySegment read = arena.allocate(8);
            assertEquals(
                    Errno.EIO,
                    assertThrows(LinuxException.class, () -> file.read(read, 0)).errno());
        }
    }

    @Test
    void closedFileIsNotUsed() throws Exception {
        DeviceFile file = file(6);
        file.close();
        assertEquals(
                Errno.EBADF,
                assertThrows(LinuxException.class, () -> file.ioctl("x", 1, 0)).errno());
        String missing = directory.resolve("missing").toString();
        assertEquals(
                Errno.ENOENT,
                assertThrows(LinuxException.class, () -> DeviceFile.open(missing))
                        .errno());
    }
}
