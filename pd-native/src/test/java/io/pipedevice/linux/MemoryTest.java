// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.jdk.Foreign;
import io.pipedevice.test.Together;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryTest {
    private static final long SIZE = 16 * Memory.pageSize();

    /** MFD_HUGE_1GB, which nothing here uses. */
    private static final int HUGE_1GB = 30 << 26;

    @Test
    void twoMappingsOfOneFileAreTheSameMemory() throws LinuxException {
        try (Fd fd = file("same");
                Arena arena = Arena.ofConfined()) {
            MemorySegment owner = Memory.map(fd, 0, SIZE, true, arena);
            MemorySegment reader = Memory.map(fd, Memory.pageSize(), Memory.pageSize(), false, arena);
            owner.set(ValueLayout.JAVA_LONG, Memory.pageSize() + 8, 42);
            assertEquals(42, reader.get(ValueLayout.JAVA_LONG, 8));
            assertEquals(SIZE, owner.byteSize());
            assertTrue(reader.isReadOnly());
            assertThrows(IllegalArgumentException.class, () -> reader.set(ValueLayout.JAVA_BYTE, 0, (byte) 1));
        }
    }

    @Test
    void mappingOutlivesTheDescriptorAndEndsWithTheArena() throws IOException {
        Arena arena = Arena.ofConfined();
        MemorySegment memory;
        try (Fd fd = file("outlives")) {
            memory = Memory.map(fd, 0, SIZE, true, arena);
        }
        memory.set(ValueLayout.JAVA_BYTE, SIZE - 1, (byte) 7);
        List<ProcessFacts.MapEntry> before = mappings("outlives");
        assertEquals(1, before.size());
        assertEquals("rw-s", before.get(0).perms());
        arena.close();
        assertEquals(List.of(), mappings("outlives"));
        assertThrows(IllegalStateException.class, () -> memory.get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void closedArenaLeavesNoMappingBehind() throws IOException {
        try (Fd fd = file("closed-arena")) {
            Arena arena = Arena.ofConfined();
            arena.close();
            assertThrows(IllegalStateException.class, () -> Memory.map(fd, 0, SIZE, true, arena));
        }
        assertEquals(List.of(), mappings("closed-arena"));
    }

    @Test
    void refusesToMapBeyondTheEndOfTheFile() throws LinuxException {
        try (Fd fd = file("short");
                Arena arena = Arena.ofConfined()) {
            LinuxException e =
                    assertThrows(LinuxException.class, () -> Memory.map(fd, Memory.pageSize(), SIZE, false, arena));
            assertEquals(Errno.EINVAL, e.errno());
            assertTrue(e.getMessage().contains("the file has " + SIZE + " bytes"), e.getMessage());
        }
    }

    @Test
    void refusesPagesOfASizeThatItDoesNotUse() throws LinuxException {
        int flags = MemoryCalls.MFD_CLOEXEC | MemoryCalls.MFD_HUGETLB | HUGE_1GB;
        try (Arena arena = Arena.ofConfined()) {
            int number = MemoryCalls.memfdCreate(Foreign.string(arena, "giant"), flags);
            assumeTrue(number != -Errno.EINVAL && number != -Errno.ENODEV, "no pages of 1 GB");
            try (Fd fd = Fd.own(LinuxException.check("memfd_create", number))) {
                LinuxException e = assertThrows(LinuxException.class, () -> Memory.pages(fd));
                assertEquals(Errno.EINVAL, e.errno());
            }
        }
    }

    @Test
    void refusesInvalidRanges() throws LinuxException {
        long page = Memory.pageSize();
        try (Fd fd = file("ranges");
                Arena arena = Arena.ofConfined()) {
            for (long[] range : new long[][] {
                {0, 0}, {0, -page}, {-page, page}, {8, page}, {0, page + 1}, {page, Long.MAX_VALUE - page + 1}
            }) {
                assertThrows(IllegalArgumentException.class, () -> Memory.map(fd, range[0], range[1], true, arena));
            }
            assertThrows(IllegalArgumentException.class, () -> Memory.allocate(fd, 0, 0));
            assertThrows(IllegalArgumentException.class, () -> Memory.allocate(fd, -1, 1));
            assertThrows(IllegalArgumentException.class, () -> Memory.allocate(fd, Long.MAX_VALUE, 1));
        }
    }

    @Test
    void allocateTakesTheMemoryAtOnce() throws LinuxException {
        try (Fd fd = Memory.memfd("allocate", Memory.PageSize.NORMAL)) {
            Memory.resize(fd, SIZE);
            assertEquals(
                    new Memory.FileStatus(
                            SIZE,
                            0,
                            true,
                            Memory.status(fd).blockSize(),
                            Memory.status(fd).inode()),
                    Memory.status(fd));
            Memory.allocate(fd, 0, SIZE);
            assertEquals(SIZE, Memory.status(fd).allocatedBytes());
        }
    }

    @Test
    void allocateGoesOnAfterItsFirstStep() throws LinuxException {
        long size = (64L << 20) + 2 * Memory.pageSize();
        try (Fd fd = Memory.memfd("large", Memory.PageSize.NORMAL)) {
            Memory.allocate(fd, Memory.pageSize(), size);
            assertEquals(size + Memory.pageSize(), Memory.status(fd).size());
            assertEquals(size, Memory.status(fd).allocatedBytes());
        }
    }

    @Test
    void populateFillsThePageTables() throws LinuxException {
        try (Fd fd = Memory.memfd("populate", Memory.PageSize.NORMAL);
                Arena arena = Arena.ofConfined()) {
            Memory.resize(fd, SIZE);
            MemorySegment memory = Memory.map(fd, 0, SIZE, true, arena);
            Memory.populate(memory, true);
            assertEquals(SIZE, Memory.status(fd).allocatedBytes());
            MemorySegment readOnly = Memory.map(fd, 0, SIZE, false, arena);
            Memory.populate(readOnly, false);
            LinuxException e = assertThrows(LinuxException.class, () -> Memory.populate(readOnly, true));
            assertEquals("madvise", e.call());
            Memory.advise(memory, Memory.ADVISE_DONTFORK);
            Memory.advise(memory, Memory.ADVISE_DONTDUMP);
        }
    }

    @Test
    void populateOfClosedMemoryIsAnExceptionAndNoCrash() throws LinuxException {
        Arena arena = Arena.ofConfined();
        try (Fd fd = file("closed")) {
            MemorySegment memory = Memory.map(fd, 0, SIZE, true, arena);
            arena.close();
            assertThrows(IllegalStateException.class, () -> Memory.populate(memory, true));
        }
    }

    @Test
    void statusDistinguishesMemoryFilesFromOthers() throws LinuxException {
        try (Fd memory = file("status");
                EventFd event = EventFd.open()) {
            assertTrue(Memory.status(memory).regular());
            assertFalse(Memory.status(event.fd()).regular());
            assertEquals(Memory.PageSize.NORMAL, Memory.pages(memory));
        }
    }

    @Test
    void memoryFilesAreCloseOnExec() throws LinuxException {
        try (Fd fd = file("exec")) {
            assertEquals(TestCalls.FD_CLOEXEC, FileCalls.fcntl(fd.number(), TestCalls.F_GETFD, 0));
        }
    }

    @Test
    void contentStartsAsZeros() throws LinuxException {
        try (Fd fd = file("zeros");
                Arena arena = Arena.ofConfined()) {
            byte[] content = Memory.map(fd, 0, SIZE, false, arena).toArray(ValueLayout.JAVA_BYTE);
            assertArrayEquals(new byte[(int) SIZE], content);
        }
    }

    @Test
    void filesOfSeveralThreadsAreTheirOwn() throws Exception {
        Together.run(thread -> {
            for (int i = 0; i < 200; i++) {
                try (Fd fd = file("threads-" + thread);
                        Arena arena = Arena.ofConfined()) {
                    MemorySegment memory = Memory.map(fd, 0, SIZE, true, arena);
                    memory.fill((byte) (thread + 1));
                    Memory.populate(memory, true);
                    assertEquals(1, mappings("threads-" + thread).size());
                    for (long at = 0; at < SIZE; at += Memory.pageSize()) {
                        assertEquals(thread + 1, memory.get(ValueLayout.JAVA_BYTE, at));
                    }
                }
                assertEquals(0, mappings("threads-" + thread).size());
            }
        });
    }

    static Fd file(String name) throws LinuxException {
        Fd fd = Memory.memfd(name, Memory.PageSize.NORMAL);
        Memory.resize(fd, SIZE);
        Memory.allocate(fd, 0, SIZE);
        return fd;
    }

    private static List<ProcessFacts.MapEntry> mappings(String name) throws IOException {
        return ProcessFacts.maps(0).stream()
                .filter(entry -> entry.path().startsWith("/memfd:" + name + " "))
                .toList();
    }
}
