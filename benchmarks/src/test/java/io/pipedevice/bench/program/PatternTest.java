// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatternTest {
    private static final int MESSAGES = 200;

    @ParameterizedTest
    @ValueSource(ints = {64, 1 << 10, 64 << 10, 1 << 20})
    void receiverTakesTheStreamInPiecesOfAnySize(int size) throws IOException {
        ByteBuffer stream = stream(size, MESSAGES * 64 / Math.max(64, size / 64) + 2);
        Pattern receiver = new Pattern(Math.max(64 << 10, size));
        int piece = 1;
        while (stream.hasRemaining()) {
            int length = Math.min(piece, stream.remaining());
            receiver.checkAll(stream.slice(stream.position(), length));
            if (length >= Long.BYTES) {
                receiver.checkWord(stream.getLong(stream.position()));
            }
            receiver.advance(length);
            stream.position(stream.position() + length);
            piece = piece % (60 << 10) + 1337;
        }
        assertEquals(stream.capacity(), receiver.done());
    }

    @Test
    void changedByteIsFound() {
        ByteBuffer piece = stream(64, 4);
        piece.put(200, (byte) (piece.get(200) ^ 1));
        assertThrows(IOException.class, () -> new Pattern(1024).checkAll(piece));
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 1 << 10, 16 << 10, 64 << 10, 1 << 20})
    void lostMessageIsFoundByTheFirstWordAfterIt(int size) {
        ByteBuffer stream = stream(size, 3);
        Pattern receiver = new Pattern(size);
        receiver.advance(size);
        assertThrows(IOException.class, () -> receiver.checkWord(stream.getLong(2 * size)));
        assertDoesNotThrow(() -> receiver.checkWord(stream.getLong(size)));
    }

    private static ByteBuffer stream(int size, int messages) {
        Pattern sender = new Pattern(size);
        ByteBuffer stream = ByteBuffer.allocate(size * messages);
        for (int i = 0; i < messages; i++) {
            stream.put(sender.next());
        }
        assertEquals(stream.capacity(), sender.done());
        return stream.flip();
    }
}
