// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.queue;

import java.lang.foreign.MemorySegment;

/** Checks and computations that both ends of a queue share. */
final class QueueMemory {
    private QueueMemory() {}

    static MemorySegment check(MemorySegment memory, int depth, int threshold) {
        long length = CommandQueueDescriptor.requiredLength(depth);
        if (memory.byteSize() < length) {
            throw new IllegalArgumentException(
                    "a queue of depth " + depth + " needs " + length + " bytes, got " + memory.byteSize());
        }
        if (threshold < 1 || threshold > depth) {
            throw new IllegalArgumentException("threshold must be 1 to the depth " + depth + ": " + threshold);
        }
        return memory;
    }

    static long entry(long position, int depth) {
        return CommandQueueDescriptor.ENTRIES_OFFSET + (position & depth - 1) * CommandDescriptor.ENTRY_LENGTH;
    }
}
