// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/**
 * Requests and answers over a socket. Both have the same length, as the messages of an application have.
 *
 * <pre>
 *  0      4          8                  16
 *  +------+----------+------------------+-------- - - -
 *  | slot | function | -, then result   | message
 *  +------+----------+------------------+-------- - - -
 * </pre>
 */
final class TcpMessage {
    static final int SLOT_OFFSET = 0;
    static final int FUNCTION_OFFSET = 4;
    static final int RESULT_OFFSET = 8;
    static final int MESSAGE_OFFSET = 16;

    private TcpMessage() {}

    static ByteBuffer buffer(int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Copies a message to a place in a buffer. */
    static void write(MemorySegment message, ByteBuffer to, int at) {
        MemorySegment.copy(message, 0, segment(to), at + MESSAGE_OFFSET, message.byteSize());
    }

    /** Copies a message from a place in a buffer. */
    static void read(ByteBuffer from, int at, MemorySegment message) {
        MemorySegment.copy(segment(from), at + MESSAGE_OFFSET, message, 0, message.byteSize());
    }

    private static MemorySegment segment(ByteBuffer buffer) {
        return MemorySegment.ofBuffer(buffer.duplicate().clear());
    }

    /** Sends all that a buffer holds, and clears it. */
    static void send(SocketChannel channel, ByteBuffer buffer) throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            if (channel.write(buffer) == 0) {
                Thread.onSpinWait();
            }
        }
        buffer.clear();
    }
}
