// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The native memory that a call needs: errno, a msghdr with its iovec and control buffer, and a small buffer for
 * structures. A thread borrows a scratch for a call and returns it by {@link #close}; it must not keep a segment
 * afterwards. Calls may nest.
 *
 * <pre>
 *      0        64            128         144         1216              1472
 *      +---------+-------------+-----------+------------+-----------------+
 *      |  errno  |   msghdr    |   iovec   |  control   |     buffer      |
 *      +---------+-------------+-----------+------------+-----------------+
 * </pre>
 *
 * <p>Scratches do not belong to threads, because a program may have a million virtual threads, each of which makes a
 * call now and then. There are as many as there were concurrent calls, and a virtual thread makes a call only while it
 * has a carrier. They are never freed. They are in lists, which only grow. A thread's number determines its list, so
 * that threads seldom contend.
 */
final class Scratch implements AutoCloseable {
    private static final long MESSAGE_OFFSET = 64;
    private static final long IOVEC_OFFSET = 128;
    private static final long CONTROL_OFFSET = 144;
    private static final long BUFFER_OFFSET = 1216;
    static final int BUFFER_LENGTH = 256;

    private static final long MSG_IOV = 16;
    private static final long MSG_IOVLEN = 24;

    /** The number of lists; a power of two. */
    private static final int LISTS = 64;

    private static final VarHandle TAKEN;
    private static final VarHandle NEXT;
    private static final VarHandle FIRST = MethodHandles.arrayElementVarHandle(Scratch[].class);
    private static final Scratch[] LIST = new Scratch[LISTS];

    /** For each list, the state in which calls leave an errno that is not read. */
    private static final MemorySegment[] UNREAD = new MemorySegment[LISTS];

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(Scratch.class, "taken", boolean.class);
            NEXT = MethodHandles.lookup().findVarHandle(Scratch.class, "next", Scratch.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        MemorySegment unread = Arena.global().allocate((long) LISTS * MESSAGE_OFFSET, MESSAGE_OFFSET);
        for (int i = 0; i < LISTS; i++) {
            UNREAD[i] = unread.asSlice(i * MESSAGE_OFFSET, Native.STATE_LAYOUT);
        }
    }

    private final MemorySegment state;
    private final MemorySegment message;
    private final MemorySegment iovec;
    private final MemorySegment control;
    private final MemorySegment buffer;

    /** Whether a call uses it; set by the thread that finds it free. */
    @SuppressWarnings("unused")
    private boolean taken = true;

    /** The next in its list; set once. */
    @SuppressWarnings("unused")
    private Scratch next;

    private Scratch() {
        MemorySegment all = Arena.global().allocate(BUFFER_OFFSET + BUFFER_LENGTH, 64);
        state = all.asSlice(0, Native.STATE_LAYOUT);
        message = all.asSlice(MESSAGE_OFFSET, IOVEC_OFFSET - MESSAGE_OFFSET);
        iovec = all.asSlice(IOVEC_OFFSET, CONTROL_OFFSET - IOVEC_OFFSET);
        control = all.asSlice(CONTROL_OFFSET, BUFFER_OFFSET - CONTROL_OFFSET);
        buffer = all.asSlice(BUFFER_OFFSET, BUFFER_LENGTH);
        message.set(LONG, MSG_IOV, iovec.address());
        message.set(LONG, MSG_IOVLEN, 1);
    }

    private static int list() {
        return (int) Thread.currentThread().threadId() & LISTS - 1;
    }

    /**
     * Takes a scratch that no other call uses until {@link #close}. Allocates one if all in the thread's list are in
     * use.
     */
    static Scratch borrow() {
        int list = list();
        Scratch first = (Scratch) FIRST.getAcquire(LIST, list);
        for (Scratch at = first; at != null; at = (Scratch) NEXT.getAcquire(at)) {
            if (!(boolean) TAKEN.getOpaque(at) && TAKEN.compareAndSet(at, false, true)) {
                return at;
            }
        }
        return add(list);
    }

    private static Scratch add(int list) {
        Scratch added = new Scratch();
        Scratch at = (Scratch) FIRST.compareAndExchange(LIST, list, null, added);
        while (at != null) {
            at = (Scratch) NEXT.compareAndExchange(at, null, added);
        }
        return added;
    }

    /** The state for a call whose errno is not read. Concurrent calls of other threads may use the same state. */
    static MemorySegment unread() {
        return UNREAD[list()];
    }

    /** The state in which a call leaves errno. */
    MemorySegment state() {
        return state;
    }

    /** The buffer, of {@value #BUFFER_LENGTH} bytes, aligned to 64, zeroed. */
    MemorySegment zeroed() {
        return buffer.fill((byte) 0);
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

    /** The buffer, with the content that an earlier call left. */
    MemorySegment buffer() {
        return buffer;
    }

    @Override
    public void close() {
        TAKEN.setRelease(this, false);
    }
}
