// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import java.io.IOException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

/** Who hears of the end of a connection, and that a lack of something is none. */
final class ResetNewsTest {
    private final ResetNews news = new ResetNews();

    @Test
    void whatIsLackingAtPresentIsNoReset() throws IOException {
        PdException lack = new PdException(Errno.ENOMEM, "no more mappings");
        IOException failure = assertThrowsExactly(IOException.class, () -> news.failRead(lack));
        assertTrue(failure.getMessage().contains("no more mappings"), failure::getMessage);
        assertEquals(IOException.class, news.writeFailure(lack).getClass());
        news.throwIfRead();
        assertTrue(news.isUntold());
    }

    @Test
    void aReaderThatWasToldHearsItAgain() {
        PdException reset = new PdException(Errno.ECONNRESET, "");
        assertThrowsExactly(SocketException.class, () -> news.failRead(reset));
        assertThrowsExactly(SocketException.class, news::throwIfRead);
        assertEquals("Broken pipe", news.writeFailure(reset).getMessage());
    }
}
