// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProgramMemoryTest {
    private static final int SIZE = 64 << 10;

    /** Enough for each of the JVM's compilers. */
    private static final int ROUNDS = 60_000;

    @TempDir
    private Path dir;

    private FileChannel open() throws IOException {
        FileChannel file = FileChannel.open(
                dir.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        file.write(ByteBuffer.allocate(SIZE));
        return file;
    }

    @Test
    void onlyMemoryOfAFileIsMapped() throws IOException {
        assertFalse(ProgramMemory.isMapped(ByteBuffer.allocate(1)));
        assertFalse(ProgramMemory.isMapped(ByteBuffer.allocateDirect(1)));
        assertFalse(ProgramMemory.isMapped(Arena.ofAuto().allocate(1).asByteBuffer()));
        try (FileChannel file = open()) {
            MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, SIZE);
            assertTrue(ProgramMemory.isMapped(mapped));
            assertTrue(ProgramMemory.isMapped(mapped.slice(1, 1)));
            assertTrue(ProgramMemory.isMapped(mapped.asReadOnlyBuffer()));
            assertTrue(ProgramMemory.isMapped(file.map(FileChannel.MapMode.READ_ONLY, 0, SIZE, Arena.ofAuto())
                    .asByteBuffer()));
        }
    }

    /** Without the wait for the fault, compiled code throws the error elsewhere, if the JVM runs with C2 or C1. */
    @Test
    void eachCopyIsMadeOrFails() throws IOException {
        ByteBuffer ring = ByteBuffer.allocateDirect(SIZE);
        try (FileChannel file = open()) {
            MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
            for (int i = 0; i < ROUNDS; i++) {
                ProgramMemory.write(ring, 0, mapped, 0, 1 + (i & 0xfff));
                ProgramMemory.read(mapped, 0, ring, 0, 1 + (i & 0xfff));
            }
            file.truncate(0);
            for (int i = 0; i < ROUNDS; i++) {
                int length = 1 + (i & 0xfff);
                assertThrowsExactly(MemoryFaultException.class, () -> ProgramMemory.write(ring, 0, mapped, 0, length));
                assertThrowsExactly(MemoryFaultException.class, () -> ProgramMemory.read(mapped, 0, ring, 0, length));
            }
            assertEquals(0, ring.position());
        }
    }
}
