// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.nio.ByteBuffer;

/** Where the messages of blocking programs lie. */
enum Memory {
    /** Outside the heap, aligned to a cache line, as programs use it with channels. */
    DIRECT,

    /** In arrays, which streams need. */
    HEAP;

    private static final int LINE = 64;

    ByteBuffer allocate(int size) {
        return this == HEAP
                ? ByteBuffer.allocate(size)
                : ByteBuffer.allocateDirect(size + 2 * LINE).alignedSlice(LINE).slice(0, size);
    }
}
