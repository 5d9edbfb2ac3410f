// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/** The words and bytes of one side of a link; read-only where they are the peer's. After it is unmapped every access throws. */
final class LinkMemory {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment words;
    private final ByteBuffer bytes;

    LinkMemory(MemorySegment memory) {
        this.words = memory;
        this.bytes = memory.asByteBuffer();
    }

    long getAcquire(int offset) {
        return (long) WORD.getAcquire(words, (long) offset);
    }

    void setRelease(int offset, long value) {
        WORD.setRelease(words, (long) offset, value);
    }

    boolean compareAndSet(int offset, long expected, long value) {
        return WORD.compareAndSet(words, (long) offset, expected, value);
    }

    void increment(int offset) {
        long before = (long) WORD.getAndAdd(words, (long) offset, 1L);
        assert before >= 0;
    }

    /** Bytes by absolute index; position and limit are not to be changed. */
    ByteBuffer bytes() {
        return bytes;
    }

    MemorySegment memory() {
        return words;
    }
}
