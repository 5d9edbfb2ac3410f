// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Waits for any of a few descriptors, poll(2), without a descriptor of its own.
 *
 * <p>Used by one thread at a time. The garbage collector frees its memory.
 */
public final class Poll {
    /** POLLIN: readable, or end of file. */
    public static final short IN = 0x1;

    /** POLLOUT: writable. */
    public static final short OUT = 0x4;

    /** POLLERR: an error is pending; always reported. */
    public static final short ERR = 0x8;

    /** POLLHUP: the other end is closed; always reported. */
    public static final short HUP = 0x10;

    /** POLLRDHUP: the peer has closed, or closed its sending side. */
    public static final short RDHUP = 0x2000;

    private static final long ENTRY_SIZE = 8;
    private static final long EVENTS_OFFSET = 4;
    private static final long RETURNED_OFFSET = 6;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;

    private final Fd[] fds;
    private final MemorySegment memory;
    private int count;

    /**
     * Creates an empty set.
     *
     * @param capacity the most descriptors that it can hold, at least 1
     */
    public Poll(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity);
        }
        fds = new Fd[capacity];
        memory = Arena.ofAuto().allocate(capacity * ENTRY_SIZE, Long.BYTES);
    }

    /**
     * Adds a descriptor.
     *
     * @param fd the descriptor; the caller keeps ownership
     * @param events IN, OUT, RDHUP, or-ed
     * @return its index
     */
    public int add(Fd fd, short events) {
        int index = Objects.checkIndex(count, fds.length);
        fds[index] = Objects.requireNonNull(fd);
        count++;
        events(index, events);
        memory.set(SHORT, index * ENTRY_SIZE + RETURNED_OFFSET, (short) 0);
        return index;
    }

    /**
     * Changes the events that a descriptor is watched for.
     *
     * @param index  of the descriptor
     * @param events as for {@link #add}
     */
    public void events(int index, short events) {
        memory.set(SHORT, Objects.checkIndex(index, count) * ENTRY_SIZE + EVENTS_OFFSET, events);
    }

    /** Empties the set. */
    public void clear() {
        while (count > 0) {
            fds[--count] = null;
        }
    }

    /**
     * Waits until something happens. Allocates nothing.
     *
     * @param timeoutMillis 0 does not wait, -1 waits for ever, more than 24 days are cut to that
     * @return the number of descriptors with events, 0 after the timeout or a signal
     * @throws LinuxException EBADF when one of the descriptors has been closed
     */
    public int await(long timeoutMillis) throws LinuxException {
        int acquired = 0;
        try {
            while (acquired < count) {
                memory.set(Native.INT, acquired * ENTRY_SIZE, fds[acquired].acquire());
                acquired++;
            }
            int result = WaitCalls.poll(memory, count, WaitCalls.timeout(timeoutMillis));
            if (result < 0) {
                clearReturned();
            }
            return result == -Errno.EINTR ? 0 : LinuxException.check("poll", result);
        } finally {
            while (acquired > 0) {
                fds[--acquired].release();
            }
        }
    }

    private void clearReturned() {
        for (int i = 0; i < count; i++) {
            memory.set(SHORT, i * ENTRY_SIZE + RETURNED_OFFSET, (short) 0);
        }
    }

    /**
     * The events of a descriptor.
     *
     * @param index of the descriptor
     * @return events of the last wait, or-ed, 0 for none
     */
    public short returned(int index) {
        return memory.get(SHORT, Objects.checkIndex(index, count) * ENTRY_SIZE + RETURNED_OFFSET);
    }
}
