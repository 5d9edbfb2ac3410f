// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import java.io.IOException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

final class SharedRegionTest {
    private static final long SIZE = 1 << 16;

    @Test
    void aMemoryObjectThatEndsWithinAPageIsRefused() throws IOException {
        assertTrue(
                refusal(Memory.PageSize.NORMAL, SIZE - 1).contains("multiple of its page size " + Memory.pageSize()));
    }

    @Test
    void aMemoryObjectThatEndsWithinAHugePageIsRefused() throws IOException {
        assertTrue(refusal(Memory.PageSize.HUGE_2MB, SIZE).contains("multiple of its page size 2097152"));
    }

    private static String refusal(Memory.PageSize pages, long size) throws IOException {
        Fd fd = Memory.memfd("pd-odd", pages);
        try {
            // Only fallocate(2) gives a file of huge pages such a size.
            Memory.allocate(fd, 0, size);
            Memory.addSeals(fd, SharedRegion.REQUIRED_SEALS);
        } catch (LinuxException e) {
            fd.close();
            Assumptions.assumeTrue(e.errno() != Errno.ENOSPC && e.errno() != Errno.ENOMEM, "no huge pages");
            throw e;
        }
        assertEquals(size, Memory.status(fd).size());
        return assertThrows(IOException.class, () -> SharedRegion.attach(fd, size))
                .getMessage();
    }
}
