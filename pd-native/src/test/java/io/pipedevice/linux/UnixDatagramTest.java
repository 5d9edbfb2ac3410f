// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class UnixDatagramTest {
    private static final byte[] TEXT = "hello".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path directory;

    @Test
    void arrivesWhole() throws LinuxException {
        UnixAddress address = UnixAddress.path(directory.resolve("socket"));
        try (DatagramReceiver receiver = DatagramReceiver.bind(address)) {
            UnixDatagram.send(address, TEXT);
            UnixDatagram.send(address, new byte[] {'!'});
            assertEquals("hello", receiver.receive());
            assertEquals("!", receiver.receive());
        }
    }

    @Test
    void doesNotWaitForAReceiverThatReadsNothing() throws LinuxException {
        UnixAddress address = UnixAddress.path(directory.resolve("full"));
        try (DatagramReceiver receiver = DatagramReceiver.bind(address)) {
            LinuxException full = assertThrows(LinuxException.class, () -> {
                while (receiver != null) {
                    UnixDatagram.send(address, TEXT);
                }
            });
            assertEquals(Errno.EAGAIN, full.errno());
        }
    }

    @Test
    void withoutAReceiverIsAnError() throws LinuxException {
        UnixAddress address = UnixAddress.path(directory.resolve("gone"));
        assertEquals(
                Errno.ENOENT,
                assertThrows(LinuxException.class, () -> UnixDatagram.send(address, TEXT))
                        .errno());
        DatagramReceiver.bind(address).close();
        assertEquals(
                Errno.ECONNREFUSED,
                assertThrows(LinuxException.class, () -> UnixDatagram.send(address, TEXT))
                        .errno());
    }
}
