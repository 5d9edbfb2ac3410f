// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The attacks that a process can try with the descriptor of a sealed file. */
class MemorySealsTest {
    private static final long SIZE = 4 * Memory.pageSize();
    private static final int SEALS =
            Memory.SEAL_SHRINK | Memory.SEAL_GROW | Memory.SEAL_FUTURE_WRITE | Memory.SEAL_SEAL;

    private final Arena arena = Arena.ofConfined();
    private Fd fd;
    private MemorySegment owner;

    @BeforeEach
    void ownerMapsThenSeals() throws LinuxException {
        fd = Memory.memfd("sealed", Memory.PageSize.NORMAL);
        Memory.resize(fd, SIZE);
        Memory.allocate(fd, 0, SIZE);
        owner = Memory.map(fd, 0, SIZE, true, arena);
        owner.fill((byte) 0x5a);
        Memory.addSeals(fd, SEALS);
    }

    @AfterEach
    void release() {
        fd.close();
        arena.close();
    }

    @Test
    void sealsAreReported() throws LinuxException {
        assertEquals(SEALS, Memory.seals(fd));
        try (Fd unsealed = MemoryTest.file("unsealed")) {
            assertEquals(0, Memory.seals(unsealed));
        }
    }

    @Test
    void ownerStillWritesAndReadersSeeIt() throws LinuxException {
        MemorySegment reader = Memory.map(fd, 0, SIZE, false, arena);
        owner.set(ValueLayout.JAVA_BYTE, SIZE - 1, (byte) 1);
        assertEquals(1, reader.get(ValueLayout.JAVA_BYTE, SIZE - 1));
    }

    @Test
    void nobodyMapsItWritableAnyMore() {
        LinuxException e = assertThrows(LinuxException.class, () -> Memory.map(fd, 0, SIZE, true, arena));
        assertEquals("mmap", e.call());
        assertEquals(Errno.EPERM, e.errno());
    }

    @Test
    void aReadOnlyMappingCannotBeMadeWritable() throws LinuxException {
        MemorySegment reader = Memory.map(fd, 0, SIZE, false, arena);
        assertEquals(-Errno.EACCES, TestCalls.mprotect(reader, MemoryCalls.PROT_READ | MemoryCalls.PROT_WRITE));
        assertEquals(0, TestCalls.mprotect(owner, MemoryCalls.PROT_READ | MemoryCalls.PROT_WRITE));
    }

    @Test
    void reopeningItDoesNotHelp() throws LinuxException {
        int number = TestCalls.open("/proc/self/fd/" + fd.number(), TestCalls.O_RDWR | TestCalls.O_CLOEXEC);
        try (Fd reopened = Fd.own(LinuxException.check("open", number))) {
            LinuxException e = assertThrows(LinuxException.class, () -> Memory.map(reopened, 0, SIZE, true, arena));
            assertEquals(Errno.EPERM, e.errno());
            assertEquals(-Errno.EPERM, FileCalls.write(number, arena.allocate(8), 8));
        }
        int truncating = TestCalls.O_RDWR | TestCalls.O_TRUNC | TestCalls.O_CLOEXEC;
        assertEquals(-Errno.EPERM, TestCalls.open("/proc/self/fd/" + fd.number(), truncating));
        assertUnchanged();
    }

    @Test
    void writingToItIsRefused() throws IOException {
        assertEquals(-Errno.EPERM, FileCalls.write(fd.number(), arena.allocate(8), 8));
        try (RandomAccessFile file = new RandomAccessFile("/proc/self/fd/" + fd.number(), "rw")) {
            assertThrows(IOException.class, () -> file.write(1));
        }
        assertUnchanged();
    }

    @Test
    void itCannotShrinkGrowOrLosePages() {
        assertEquals(
                Errno.EPERM,
                assertThrows(LinuxException.class, () -> Memory.resize(fd, 0)).errno());
        assertEquals(
                Errno.EPERM,
                assertThrows(LinuxException.class, () -> Memory.resize(fd, 2 * SIZE))
                        .errno());
        assertEquals(
                Errno.EPERM,
                assertThrows(LinuxException.class, () -> Memory.allocate(fd, SIZE, SIZE))
                        .errno());
        int punched = MemoryCalls.fallocate(fd.number(), TestCalls.PUNCH_HOLE_KEEP_SIZE, 0, Memory.pageSize());
        assertEquals(-Errno.EPERM, punched);
        assertUnchanged();
    }

    @Test
    void sealsAreForEver() {
        LinuxException e = assertThrows(LinuxException.class, () -> Memory.addSeals(fd, Memory.SEAL_WRITE));
        assertEquals(Errno.EPERM, e.errno());
        assertTrue(e.getMessage().startsWith("fcntl(F_ADD_SEALS): EPERM"), e.getMessage());
    }

    @Test
    void writeSealIsRefusedWhileAWritableMappingExists() throws LinuxException {
        try (Fd file = MemoryTest.file("busy");
                Arena mapping = Arena.ofConfined()) {
            MemorySegment memory = Memory.map(file, 0, Memory.pageSize(), true, mapping);
            memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
            LinuxException e = assertThrows(LinuxException.class, () -> Memory.addSeals(file, Memory.SEAL_WRITE));
            assertEquals(Errno.EBUSY, e.errno());
        }
    }

    @Test
    void otherFilesHaveNoSeals() throws LinuxException {
        try (EventFd event = EventFd.open()) {
            LinuxException e = assertThrows(LinuxException.class, () -> Memory.seals(event.fd()));
            assertEquals(Errno.EINVAL, e.errno());
        }
    }

    private void assertUnchanged() {
        for (long i = 0; i < SIZE; i++) {
            assertEquals(0x5a, owner.get(ValueLayout.JAVA_BYTE, i));
        }
    }
}
