// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HugePagesTest {
    private static final Path RESERVED = Path.of("/proc/sys/vm/nr_hugepages");
    private static final Memory.PageSize HUGE = Memory.PageSize.HUGE_2MB;
    private static final long PAGE = HUGE.bytes();

    @Test
    void withoutFreePagesTheErrorComesBeforeAnyAccess() throws LinuxException {
        long tooMany = (HugePages.free2M() + 1) * PAGE;
        try (Fd fd = hugeFile();
                Arena arena = Arena.ofConfined()) {
            Memory.resize(fd, tooMany);
            LinuxException map = assertThrows(LinuxException.class, () -> Memory.map(fd, 0, tooMany, true, arena));
            assertEquals(Errno.ENOMEM, map.errno());
            LinuxException allocate = assertThrows(LinuxException.class, () -> Memory.allocate(fd, 0, tooMany));
            assertEquals("fallocate", allocate.call());
            assertTrue(allocate.errno() == Errno.ENOSPC || allocate.errno() == Errno.ENOMEM, allocate.getMessage());
        }
    }

    @Test
    void reportsThePageSizeOfAFile() throws LinuxException {
        try (Fd fd = hugeFile()) {
            assertEquals(HUGE, Memory.pages(fd));
            assertEquals(PAGE, Memory.status(fd).blockSize());
        }
    }

    @Test
    void refusesPartsOfAHugePage() throws LinuxException {
        try (Fd fd = hugeFile();
                Arena arena = Arena.ofConfined()) {
            Memory.resize(fd, PAGE);
            IllegalArgumentException e = assertThrows(
                    IllegalArgumentException.class, () -> Memory.map(fd, 0, Memory.pageSize(), true, arena));
            assertTrue(e.getMessage().contains("multiples of the page size 2097152"), e.getMessage());
        }
    }

    @Test
    void hugeMemoryIsMappedSealedAndGivenBack() throws IOException {
        assumeTrue(Files.isWritable(RESERVED), "only root can reserve huge pages");
        long before = HugePages.total2M();
        try {
            Files.writeString(RESERVED, Long.toString(before + 2));
            assumeTrue(HugePages.free2M() >= 2, "the kernel has no two huge pages to reserve");
            useTwoPages();
        } finally {
            Files.writeString(RESERVED, Long.toString(before));
        }
        assertEquals(before, HugePages.total2M());
    }

    private static void useTwoPages() throws LinuxException {
        long free = HugePages.free2M();
        try (Fd fd = hugeFile();
                Arena arena = Arena.ofConfined()) {
            Memory.resize(fd, 2 * PAGE);
            Memory.allocate(fd, 0, 2 * PAGE);
            assertEquals(free - 2, HugePages.free2M());
            MemorySegment memory = Memory.map(fd, 0, 2 * PAGE, true, arena);
            memory.set(ValueLayout.JAVA_BYTE, 2 * PAGE - 1, (byte) 9);
            Memory.addSeals(fd, Memory.SEAL_SHRINK | Memory.SEAL_GROW | Memory.SEAL_FUTURE_WRITE | Memory.SEAL_SEAL);
            assertEquals(
                    Errno.EPERM,
                    assertThrows(LinuxException.class, () -> Memory.map(fd, 0, PAGE, true, arena))
                            .errno());
            MemorySegment reader = Memory.map(fd, PAGE, PAGE, false, arena);
            assertEquals(9, reader.get(ValueLayout.JAVA_BYTE, PAGE - 1));
            assertEquals(-Errno.EACCES, TestCalls.mprotect(reader, MemoryCalls.PROT_READ | MemoryCalls.PROT_WRITE));
        }
        assertEquals(free, HugePages.free2M());
    }

    private static Fd hugeFile() throws LinuxException {
        try {
            return Memory.memfd("huge", HUGE);
        } catch (LinuxException e) {
            assumeTrue(false, "this kernel has no huge pages: " + e.getMessage());
            throw e;
        }
    }
}
