// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.nio.ByteBuffer;

/** Refuses buffers whose arena is closed before a call has done anything, as the JDK. */
final class OpenArena {
    private OpenArena() {}

    /**
     * Checks a buffer; one without a byte left is of no concern.
     *
     * @throws IllegalStateException if its arena is closed
     */
    static void check(ByteBuffer buffer) {
        if (buffer.isDirect() && buffer.hasRemaining()) {
            byte unused = buffer.get(buffer.position());
        }
    }

    static void check(ByteBuffer[] buffers, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            check(buffers[i]);
        }
    }
}
