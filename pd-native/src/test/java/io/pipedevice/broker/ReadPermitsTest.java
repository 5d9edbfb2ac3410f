// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.Fd;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.PermitPageDescriptor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

final class ReadPermitsTest {
    private static boolean isWritten(Fd memory, long length) throws IOException {
        int number = memory.acquire();
        try (FileChannel file = FileChannel.open(Path.of("/proc/self/fd/" + number), StandardOpenOption.READ)) {
            // Which asks mincore(2), as a driver does where a filter of system calls refuses cachestat(2).
            return file.map(FileChannel.MapMode.READ_ONLY, 0, length).isLoaded();
        } finally {
            memory.release();
        }
    }

    @Test
    void allPagesOfTheMemoryThatIsPassedCountWithoutCachestat() throws IOException {
        try (SharedRegion driver = SharedRegion.create("pd-test", PermitPageDescriptor.driverLength(), false)) {
            boolean[] written = {false};
            ReadPermits permits = ReadPermits.open(driver.fd(), driver.size(), () -> false, (memory, length) -> {
                assertEquals(PermitPageDescriptor.length(), length);
                written[0] = isWritten(memory, length);
            });
            assertTrue(written[0]);
            assertNotNull(permits.grant(1));
        }
    }
}
