// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import io.pipedevice.memory.ProgramMemory;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Refuses buffers whose arena is closed, before a call has moved anything, as the JDK does. */
final class OpenArena {
    private OpenArena() {}

    /**
     * Checks a buffer, unless it has no byte left.
     *
     * @throws IllegalStateException if its arena is closed
     */
    static void check(ByteBuffer buffer) {
        if (!buffer.isDirect() || !buffer.hasRemaining()) {
            return;
        }
        if (!ProgramMemory.isMapped(buffer)) {
            byte unused = buffer.get(buffer.position());
        } else if (!MemorySegment.ofBuffer(buffer).scope().isAlive()) {
            // The memory of a mapped file may not be there, so that it is not looked at.
            throw new IllegalStateException("Already closed");
        }
    }

    static void check(ByteBuffer[] buffers, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            check(buffers[i]);
        }
    }
}
