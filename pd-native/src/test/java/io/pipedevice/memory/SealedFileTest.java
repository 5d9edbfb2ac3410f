// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.FileOfHoles;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** An object of another process that is copied and not mapped. */
final class SealedFileTest {
    private static final int SIZE = 1 << 20;

    @Test
    void aReadOfAnObjectWithoutPagesAllocatesNone() throws IOException {
        FileOfHoles holes = FileOfHoles.create(SIZE, SharedRegion.REQUIRED_SEALS);
        try (SealedFile file = SealedFile.accept(holes.fd(), SIZE, Fd::close)) {
            holes.freeBehindEnd();
            assertArrayEquals(new byte[SIZE], file.read(SIZE));
            assertEquals(0, Memory.status(file.fd()).allocatedBytes());
        }
    }

    @Test
    void aReadCopiesTheBeginning() throws IOException {
        SharedRegion region = SharedRegion.create("pd-test", SIZE, false);
        region.memory().set(ValueLayout.JAVA_BYTE, 2, (byte) 42);
        SealedFile file = SealedFile.accept(region.fd(), SIZE, Fd::close);
        assertArrayEquals(new byte[] {0, 0, 42}, file.read(3));
        file.close();
        region.close();
        assertThrows(LinuxException.class, () -> file.read(3));
    }

    @Test
    void anObjectWithoutSealsOrOfAnotherSizeIsClosed() throws IOException {
        Fd open = Memory.memfd("pd-test", Memory.PageSize.NORMAL);
        Memory.resize(open, SIZE);
        assertThrows(IOException.class, () -> SealedFile.accept(open, SIZE, Fd::close));
        assertFalse(open.isOpen());
        SharedRegion region = SharedRegion.create("pd-test", SIZE, false);
        assertThrows(IOException.class, () -> SealedFile.accept(region.fd(), 2 * SIZE, Fd::close));
        assertFalse(region.fd().isOpen());
        region.close();
    }
}
