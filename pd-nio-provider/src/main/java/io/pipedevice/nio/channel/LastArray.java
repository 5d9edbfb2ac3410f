// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.nio.ByteBuffer;

/**
 * Buffers of the arrays that streams read into or write from. Programs use the same array again and again, so that the
 * buffer of the last one is kept. Belongs to the thread that has the turn.
 */
final class LastArray {
    /**
     * No larger array stays in memory because of a stream; its copy takes much longer than the creation of a buffer.
     */
    private static final int MAX_KEPT = 64 * 1024;

    private ByteBuffer last = ByteBuffer.allocate(0);

    /** A buffer with the bytes of a range, in use until the next call. */
    @SuppressWarnings("ReferenceEquality") // an array with the same content is another one
    ByteBuffer buffer(byte[] array, int offset, int length) {
        if (array.length > MAX_KEPT) {
            return ByteBuffer.wrap(array, offset, length);
        }
        if (last.array() != array) {
            last = ByteBuffer.wrap(array);
        }
        return last.limit(offset + length).position(offset);
    }
}
