// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

/** Which pages of a memory file exist, whatever its status says. */
final class FilePagesTest {
    private static final int SEALS = Memory.SEAL_SHRINK | Memory.SEAL_GROW | Memory.SEAL_FUTURE_WRITE;
    private static final long PAGE = Memory.pageSize();
    private static final long SIZE = 64 * PAGE;

    @Test
    void pagesBehindTheEndAreNotThoseOfTheFile() throws LinuxException {
        try (FileOfHoles holes = FileOfHoles.create(SIZE, SEALS)) {
            assertEquals(SIZE, Memory.status(holes.fd()).allocatedBytes());
            assertMissing(SIZE, holes.fd(), 0, SIZE);
            holes.freeBehindEnd();
            assertMissing(SIZE, holes.fd(), 0, SIZE);
            assertEquals(0, Memory.status(holes.fd()).allocatedBytes(), "the question allocates nothing");
        }
    }

    private static void assertMissing(long expected, Fd fd, long offset, long length) throws LinuxException {
        assertEquals(expected, FilePages.missing(fd, offset, length));
        long begin = offset & -PAGE;
        long all = Memory.wholePages(offset + length) - begin;
        assertEquals(all - expected, FilePages.resident(fd, begin, all), "without cachestat(2)");
    }

    @Test
    void writtenPagesExist() throws LinuxException {
        try (Fd fd = Memory.memfd("written", Memory.PageSize.NORMAL);
                Arena arena = Arena.ofConfined()) {
            Memory.resize(fd, SIZE);
            Memory.populate(Memory.map(fd, 0, SIZE, true, arena).asSlice(8 * PAGE, 8 * PAGE), true);
            Memory.addSeals(fd, SEALS);
            assertMissing(0, fd, 8 * PAGE, 8 * PAGE);
            assertMissing(PAGE, fd, 7 * PAGE, 9 * PAGE);
            assertMissing(PAGE, fd, 8 * PAGE, 9 * PAGE);
            assertMissing(PAGE, fd, 16 * PAGE - 1, 2);
            assertMissing(SIZE - 8 * PAGE, fd, 0, SIZE);
        }
    }

    @Test
    void pagesThatWereAllocatedAndNeverWrittenExist() throws LinuxException {
        try (Fd fd = Memory.memfd("allocated", Memory.PageSize.NORMAL)) {
            Memory.resize(fd, SIZE);
            Memory.allocate(fd, 0, SIZE);
            Memory.addSeals(fd, SEALS);
            assumeTrue(
                    MemoryCalls.cachestat(-1, MemorySegment.NULL, MemorySegment.NULL) == -Errno.EBADF,
                    "this kernel has no cachestat(2)");
            assertEquals(0, FilePages.missing(fd, 0, SIZE));
        }
    }

    @Test
    void noPageOfASealedFileCanBeRemovedAndNoneAddedBehindItsEnd() throws LinuxException {
        try (Fd fd = Memory.memfd("sealed", Memory.PageSize.NORMAL)) {
            Memory.resize(fd, SIZE);
            Memory.allocate(fd, 0, SIZE);
            Memory.addSeals(fd, SEALS);
            int number = fd.acquire();
            int punchHole = 3;
            assertEquals(-Errno.EPERM, MemoryCalls.fallocate(number, punchHole, 0, SIZE / 2));
            fd.release();
            assertThrows(LinuxException.class, () -> FileOfHoles.allocateBehindEnd(fd, SIZE, SIZE));
            Memory.resize(fd, SIZE);
            assertEquals(0, FilePages.missing(fd, 0, SIZE));
        }
    }

    @Test
    void withoutCachestatAFileOfAnotherUserThatMayNotBeWrittenIsRefused() throws Exception {
        assumeTrue(SystemCalls.effectiveUid() == 0, "only root may give a file away");
        try (FileOfHoles holes = FileOfHoles.create(SIZE, SEALS)) {
            int number = holes.fd().acquire();
            Path file = Path.of("/proc/self/fd/" + number);
            Files.setAttribute(file, "unix:uid", 65_533);
            assertEquals(0, FilePages.resident(holes.fd(), 0, SIZE));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r-xr-xr-x"));
            holes.fd().release();
            LinuxException e = assertThrows(LinuxException.class, () -> FilePages.resident(holes.fd(), 0, SIZE));
            assertEquals(Errno.EPERM, e.errno());
        }
    }

    @Test
    void hugePagesBehindTheEndAreNotThoseOfTheFile() throws LinuxException {
        long huge = Memory.PageSize.HUGE_2MB.bytes();
        assumeTrue(HugePages.free2M() >= 1, "no huge page is free");
        try (Fd fd = Memory.memfd("huge", Memory.PageSize.HUGE_2MB)) {
            Memory.resize(fd, huge);
            FileOfHoles.allocateBehindEnd(fd, huge, huge);
            Memory.addSeals(fd, SEALS);
            assertEquals(huge, Memory.status(fd).allocatedBytes());
            assertEquals(huge, FilePages.missing(fd, 0, huge));
            Memory.allocate(fd, 0, huge);
            assertEquals(0, FilePages.missing(fd, 0, huge));
        }
    }
}
