// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The native memory that a thread needs to make calls: errno, a msghdr with its iovec and control buffer, and a small
 * buffer for structures. Allocated at the thread's first call and freed some time after the thread is gone.
 *
 * <pre>
 *      0        64            128         144         1216              1472
 *      +---------+-------------+-----------+------------+-----------------+
 *      |  errno  |   msghdr    |   iovec   |  control   |     buffer      |
 *      +---------+-------------+-----------+------------+-----------------+
 * </pre>
 *
 * <p>Calls do not nest on one thread, so that one of each is enough. A thread must not keep a segment for later.
 */
final class Scratch {
    private static final long MESSAGE_OFFSET = 64;
    private static final long IOVEC_OFFSET = 128;
    private static final long CONTROL_OFFSET = 144;
    private static final long BUFFER_OFFSET = 1216;
    static final int BUFFER_LENGTH = 256;

    private static final long MSG_IOV = 16;
    private static final long MSG_IOVLEN = 24;
    private static final ThreadLocal<Scratch> CURRENT = ThreadLocal.withInitial(Scratch::new);

    private final MemorySegment state;
    private final MemorySegment message;
    private final MemorySegment iovec;
    private final MemorySegment control;
    private final MemorySegment buffer;

    private Scratch() {
        MemorySegment all = Arena.ofAuto().allocate(BUFFER_OFFSET + BUFFER_LENGTH, 64);
        state = all.asSlice(0, Native.STATE_LAYOUT);
        message = all.asSlice(MESSAGE_OFFSET, IOVEC_OFFSET - MESSAGE_OFFSET);
        iovec = all.asSlice(IOVEC_OFFSET, CONTROL_OFFSET - IOVEC_OFFSET);
        control = all.asSlice(CONTROL_OFFSET, BUFFER_OFFSET - CONTROL_OFFSET);
        buffer = all.asSlice(BUFFER_OFFSET, BUFFER_LENGTH);
        message.set(LONG, MSG_IOV, iovec.address());
        message.set(LONG, MSG_IOVLEN, 1);
    }

    /** The calling thread's. */
    static Scratch get() {
        return CURRENT.get();
    }

    /** Where a call leaves errno. */
    static MemorySegment state() {
        return CURRENT.get().state;
    }

    /** A zeroed buffer of {@value #BUFFER_LENGTH} bytes, aligned to 64. */
    static MemorySegment zeroed() {
        return CURRENT.get().buffer.fill((byte) 0);
    }

    /** A struct msghdr (see {@link Messages}) whose iovec is {@link #iovec()}. */
    MemorySegment message() {
        return message;
    }

    MemorySegment iovec() {
        return iovec;
    }

    MemorySegment control() {
        return control;
    }

    MemorySegment buffer() {
        return buffer;
    }
}
