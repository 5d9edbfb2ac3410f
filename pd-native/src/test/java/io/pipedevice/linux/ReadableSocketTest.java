// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sun.nio.ch.SelChImpl;

class ReadableSocketTest {
    @Test
    void bytesThenTheEndCanBeRead(@TempDir Path directory) throws Exception {
        UnixDomainSocketAddress path = UnixDomainSocketAddress.of(directory.resolve("socket"));
        try (ServerSocketChannel server =
                        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(path);
                SocketChannel client = SocketChannel.open(path);
                SocketChannel accepted = server.accept()) {
            int number = ((SelChImpl) client).getFDVal();
            assertEquals(0, ReadableSocket.bytes(number));
            assertFalse(ReadableSocket.isReady(number));
            accepted.write(ByteBuffer.allocate(7));
            assertEquals(7, ReadableSocket.bytes(number));
            assertTrue(ReadableSocket.isReady(number));
            client.read(ByteBuffer.allocate(7));
            accepted.close();
            assertEquals(0, ReadableSocket.bytes(number));
            assertTrue(ReadableSocket.isReady(number));
        }
    }
}
