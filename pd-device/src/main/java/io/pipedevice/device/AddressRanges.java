// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Pieces of an address space, none of which overlap, each with its meaning. A sorted table, so that a lookup allocates
 * nothing. Belongs to the driver's thread.
 *
 * @param <T> the meaning of a piece
 */
public final class AddressRanges<T> {
    private static final int INITIAL_LENGTH = 16;

    private long[] start = new long[INITIAL_LENGTH];
    private long[] length = new long[INITIAL_LENGTH];
    private Object[] meaning = new Object[INITIAL_LENGTH];
    private int count;

    /** Creates an empty table. */
    public AddressRanges() {}

    /**
     * Adds a piece.
     *
     * @param address of its first byte, at least 0
     * @param size in bytes, at least 1; the piece overlaps no other
     * @param what its meaning, not null
     */
    public void add(long address, long size, T what) {
        if (count == start.length) {
            start = Arrays.copyOf(start, 2 * count);
            length = Arrays.copyOf(length, 2 * count);
            meaning = Arrays.copyOf(meaning, 2 * count);
        }
        int at = floor(address) + 1;
        move(at, at + 1);
        start[at] = address;
        length[at] = size;
        meaning[at] = what;
        count++;
    }

    /**
     * Removes a piece.
     *
     * @param address of its first byte
     * @return false if no piece begins there
     */
    public boolean remove(long address) {
        int at = floor(address);
        if (at < 0 || start[at] != address) {
            return false;
        }
        move(at + 1, at);
        count--;
        meaning[count] = null;
        return true;
    }

    private void move(int source, int target) {
        int moved = count - source;
        System.arraycopy(start, source, start, target, moved);
        System.arraycopy(length, source, length, target, moved);
        System.arraycopy(meaning, source, meaning, target, moved);
    }

    /**
     * The meaning of the piece that contains a range.
     *
     * @param address of the range's first byte, any value
     * @param size of the range in bytes, at least 1
     * @return null if no piece contains all of it
     */
    @SuppressWarnings("unchecked")
    public T covering(long address, long size) {
        int at = floor(address);
        // A difference of more than 2^63 is negative.
        return at < 0 || address - start[at] < 0 || address - start[at] > length[at] - size ? null : (T) meaning[at];
    }

    /**
     * Visits all meanings, in the order of addresses.
     *
     * @param visitor must not change the table
     */
    @SuppressWarnings("unchecked")
    public void forEach(Consumer<? super T> visitor) {
        for (int i = 0; i < count; i++) {
            visitor.accept((T) meaning[i]);
        }
    }

    private int floor(long address) {
        int at = Arrays.binarySearch(start, 0, count, address);
        return at >= 0 ? at : -at - 2;
    }
}
