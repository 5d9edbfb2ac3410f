// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.util.Arrays;
import java.util.Objects;

/**
 * What {@link PdEpoll#await} found. Made once and used again, so that waiting allocates nothing; used by one thread at a
 * time.
 */
public final class PdEvents {
    private final PdSocket[] sockets;
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
        sockets = new PdSocket[capacity];
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
     * Which socket.
     *
     * @param index 0 to {@link #count()}, exclusive
     * @return the socket
     */
    public PdSocket socket(int index) {
        return sockets[Objects.checkIndex(index, count)];
    }

    /**
     * What the program added the socket with.
     *
     * @param index 0 to {@link #count()}, exclusive
     * @return the attachment, or null if there was none
     */
    public Object attachment(int index) {
        return attachments[Objects.checkIndex(index, count)];
    }

    /**
     * What happened.
     *
     * @param index 0 to {@link #count()}, exclusive
     * @return {@link PdEpoll#IN}, {@link PdEpoll#OUT}, {@link PdEpoll#ERR}, {@link PdEpoll#HUP}, {@link PdEpoll#RDHUP},
     *     or-ed
     */
    public int events(int index) {
        return events[Objects.checkIndex(index, count)];
    }

    void clear() {
        Arrays.fill(sockets, 0, count, null);
        Arrays.fill(attachments, 0, count, null);
        count = 0;
    }

    boolean isFull() {
        return count == events.length;
    }

    void add(PdSocket socket, Object attachment, int happened) {
        sockets[count] = socket;
        attachments[count] = attachment;
        events[count++] = happened;
    }
}
