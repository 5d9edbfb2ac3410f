// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.util.Arrays;
import java.util.Objects;

/**
 * The events that a wait for many sockets found, such as {@link PdEpoll#await}. A program uses one object again and
 * again, so that waiting allocates nothing. Used by one thread at a time.
 */
public final class PdEvents {
    private final PdSource[] sources;
    private final Object[] attachments;
    private final int[] events;
    private int count;

    /**
     * Creates an empty list.
     *
     * @param capacity most events of one wait, at least 1
     */
    public PdEvents(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity);
        }
        sources = new PdSource[capacity];
        attachments = new Object[capacity];
        events = new int[capacity];
    }

    /**
     * How many sockets have events.
     *
     * @return 0 to the capacity
     */
    public int count() {
        return count;
    }

    /**
     * The socket of a {@link PdEpoll} that has events.
     *
     * @param index 0 to {@link #count()}, exclusive
     * @return the socket
     */
    public PdSocket socket(int index) {
        return (PdSocket) source(index);
    }

    /**
     * The source that has events.
     *
     * @param index 0 to {@link #count()}, exclusive
     * @return a connection or listening socket
     */
    public PdSource source(int index) {
        return sources[Objects.checkIndex(index, count)];
    }

    /**
     * The object with which the program added the source.
     *
     * @param index 0 to {@link #count()}, exclusive
     * @return the attachment, or null if there was none
     */
    public Object attachment(int index) {
        return attachments[Objects.checkIndex(index, count)];
    }

    /**
     * The events of a source.
     *
     * @param index 0 to {@link #count()}, exclusive
     * @return {@link PdEpoll#IN}, {@link PdEpoll#OUT}, {@link PdEpoll#ERR}, {@link PdEpoll#HUP}, {@link PdEpoll#RDHUP},
     *     or-ed
     */
    public int events(int index) {
        return events[Objects.checkIndex(index, count)];
    }

    /** Empties the list. For the waiting thread. */
    public void clear() {
        Arrays.fill(sources, 0, count, null);
        Arrays.fill(attachments, 0, count, null);
        count = 0;
    }

    /**
     * Whether nothing can be added.
     *
     * @return whether the number of events has reached the capacity
     */
    public boolean isFull() {
        return count == events.length;
    }

    /**
     * Adds a source that is ready. For the waiting thread.
     *
     * @param source a connection or listening socket
     * @param attachment the object with which it was added, or null
     * @param happened as for {@link #events}
     */
    public void add(PdSource source, Object attachment, int happened) {
        sources[count] = source;
        attachments[count] = attachment;
        events[count++] = happened;
    }
}
