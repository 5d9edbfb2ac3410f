// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Accesses aligned words of shared memory, each at once. */
final class Words {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private Words() {}

    static long get(MemorySegment memory, long offset) {
        return (long) WORD.getOpaque(memory, offset);
    }

    static void set(MemorySegment memory, long offset, long value) {
        WORD.set(memory, offset, value);
    }

    static long getAcquire(MemorySegment memory, long offset) {
        return (long) WORD.getAcquire(memory, offset);
    }

    static void setRelease(MemorySegment memory, long offset, long value) {
        WORD.setRelease(memory, offset, value);
    }

    static void increase(MemorySegment memory, long offset) {
        long before = (long) WORD.getAndAdd(memory, offset, 1L);
        assert before != -1L;
    }
}
