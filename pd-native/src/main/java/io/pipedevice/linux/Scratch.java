// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The native memory that a call needs: errno, a msghdr with its iovec and control buffer, and a small buffer for structures.
 * A thread borrows one for a call and returns it by {@link #close}; it must not keep a segment for later. Calls may nest.
 *
 * <pre>
 *      0        64            128         144         1216              1472
 *      +---------+-------------+-----------+------------+-----------------+
 *      |  errno  |   msghdr    |   iovec   |  control   |     buffer      |
 *      +---------+-------------+-----------+------------+-----------------+
 * </pre>
 *
 * <p>No thread owns any: a program may have a million virtual threads, each of which makes a call now and then. There are as
 * many as there were calls at the same time, which a virtual thread makes only while it has a carrier. They are never freed.
 * They hang in lists, which only grow, and a thread's number says in which list it looks first, so that threads seldom meet.
 */
final class Scratch implements AutoCloseable {
    private static final long MESSAGE_OFFSET = 64;
    private static final long IOVEC_OFFSET = 128;
    private static final long CONTROL_OFFSET = 144;
    private static final long BUFFER_OFFSET = 1216;
    static final int BUFFER_LENGTH = 256;

    private static final long MSG_IOV = 16;
    private static final long MSG_IOVLEN = 24;

    /** How many lists there are; a power of two. */
    private static final int LISTS = 64;

    private static final VarHandle TAKEN;
    private static final VarHandle NEXT;
    private static final VarHandle FIRST = MethodHandles.arrayElementVarHandle(Scratch[].class);
    private static final Scratch[] LIST = new Scratch[LISTS];

    /** By list, where calls leave an errno that nobody reads. */
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

    /** Whether a call uses it; set by whichever thread finds it free. */
    @SuppressWarnings("unused")
    private boolean taken = true;

    /** The next of its list; set once. */
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

    /** Takes one that no other call uses, until {@link #close}. Allocates one if each of the thread's list is in use. */
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

    /** Where a call may leave an errno that nobody reads: other threads' calls may leave theirs there at the same time. */
    static MemorySegment unread() {
        return UNREAD[list()];
    }

    /** Where a call leaves errno. */
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

    /** The buffer, with whatever an earlier call has left in it. */
    MemorySegment buffer() {
        return buffer;
    }

    @Override
    public void close() {
        TAKEN.setRelease(this, false);
    }
}
