// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ReadableSocketTest {
    private static final int LENGTH = 7;

    @Test
    void bytesThenTheEndCanBeRead() throws Exception {
        UnixSocket[] ends = UnixSocket.pair(UnixSocket.Type.STREAM);
        try (Arena arena = Arena.ofConfined();
                UnixSocket reader = ends[0];
                UnixSocket writer = ends[1]) {
            MemorySegment bytes = arena.allocate(LENGTH);
            int number = reader.fd().number();
            assertEquals(0, ReadableSocket.bytes(number));
            assertFalse(ReadableSocket.isReady(number));
            assertEquals(LENGTH, writer.send(bytes, 0, LENGTH));
            assertEquals(LENGTH, ReadableSocket.bytes(number));
            assertTrue(ReadableSocket.isReady(number));
            assertEquals(LENGTH, reader.receive(bytes, 0, LENGTH, null, false));
            writer.fd().close();
            assertEquals(0, ReadableSocket.bytes(number));
            assertTrue(ReadableSocket.isReady(number));
        }
    }

    @Test
    void aNumberThatIsNoDescriptorHasNothing() {
        assertEquals(0, ReadableSocket.bytes(Integer.MAX_VALUE));
        assertTrue(ReadableSocket.isReady(Integer.MAX_VALUE), "a read fails at once");
    }
}
