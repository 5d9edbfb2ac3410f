// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ReadableSocketTest {
    @Test
    void bytesThenTheEndCanBeRead() throws Exception {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.STREAM);
        try (UnixSocket reader = pair[0];
                UnixSocket writer = pair[1];
                Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(7);
            int number = reader.fd().number();
            assertEquals(0, ReadableSocket.bytes(number));
            assertFalse(ReadableSocket.isReady(number));
            assertEquals(7, writer.send(bytes, 0, 7));
            assertEquals(7, ReadableSocket.bytes(number));
            assertTrue(ReadableSocket.isReady(number));
            assertEquals(7, reader.receive(bytes, 0, 7, null, false));
            assertFalse(ReadableSocket.isReady(number));
            writer.shutdown(false, true);
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
