// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import java.io.IOException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

/** Tests which call a reset is reported to, and that a lack of memory is no reset. */
final class ResetReportTest {
    private final ResetReport resets = new ResetReport();

    @Test
    void aLackOfMemoryIsNoReset() throws IOException {
        PdException lack = new PdException(Errno.ENOMEM, "no more mappings");
        IOException failure = assertThrowsExactly(IOException.class, () -> resets.failRead(lack));
        assertTrue(failure.getMessage().contains("no more mappings"), failure::getMessage);
        assertEquals(IOException.class, resets.writeFailure(lack).getClass());
        resets.throwIfReported();
        assertTrue(resets.isUnreported());
    }

    @Test
    void aResetIsReportedToEachReadAfterTheFirst() {
        PdException reset = new PdException(Errno.ECONNRESET, "");
        assertThrowsExactly(SocketException.class, () -> resets.failRead(reset));
        assertThrowsExactly(SocketException.class, resets::throwIfReported);
        assertEquals("Broken pipe", resets.writeFailure(reset).getMessage());
    }
}
