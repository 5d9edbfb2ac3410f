// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

/**
 * The receive buffer table (RBT): one entry (pointer, size, running total) for each copy into a socket's receive ring.
 * Copies complete in any order. Their data become readable in the order of the stream. Space is released in order, by
 * the reader's count of bytes consumed.
 *
 * <pre>
 *          consumed        produced        reserved
 *  ---------+---------------+-------+-------+----------------
 *    free   | readable      | copy 4| copy 5|  free
 *  ---------+---------------+-------+-------+----------------
 * </pre>
 *
 * <p>Belongs to PD Driver's thread. The reader's count comes from another process and is checked here.
 */
public final class ReceiveBufferTable {
    /** There is no room for a copy now. */
    public static final int FULL = -1;

    private static final int MIN_ENTRIES = 16;
    private static final int MAX_ENTRIES = 1 << 15;

    /** The part of the ring that is in use, and the position of its first byte. */
    private int ringSize;

    private long start;

    private int[] pointer = new int[MIN_ENTRIES];
    private int[] size = new int[MIN_ENTRIES];
    private int[] total = new int[MIN_ENTRIES];
    private boolean[] done = new boolean[MIN_ENTRIES];
    private final int maxEntries;
    private int head;
    private int tail;
    private long reserved;
    private long produced;
    private long consumed;

    /**
     * Creates the table of an empty ring.
     *
     * @param ringSize in bytes, a power of two
     * @param maxEntries copies in flight at a time, a power of two, 16 to 32768
     */
    public ReceiveBufferTable(int ringSize, int maxEntries) {
        if (ringSize < 1
                || Integer.bitCount(ringSize) != 1
                || maxEntries < MIN_ENTRIES
                || maxEntries > MAX_ENTRIES
                || Integer.bitCount(maxEntries) != 1) {
            throw new IllegalArgumentException("not powers of two in range: " + ringSize + ", " + maxEntries);
        }
        this.ringSize = ringSize;
        this.maxEntries = maxEntries;
    }

    /**
     * Reserves a contiguous range for a copy: at most the wanted length, and less at the end of the ring or if the ring
     * is nearly full.
     *
     * @param length wanted, in bytes, at least 1
     * @return the entry's sequence, 0 to 65535, or {@link #FULL}
     * @throws IllegalArgumentException if the length is not positive
     */
    public int reserve(int length) {
        if (length < 1) {
            throw new IllegalArgumentException("a copy has at least 1 byte: " + length);
        }
        int free = free();
        if (free == 0 || tail - head == maxEntries) {
            return FULL;
        }
        if (tail - head == pointer.length) {
            grow();
        }
        int offset = offset(reserved);
        int piece = Math.min(Math.min(length, free), ringSize - offset);
        int i = tail & pointer.length - 1;
        pointer[i] = offset;
        size[i] = piece;
        reserved += piece;
        total[i] = (int) (reserved - consumed);
        done[i] = false;
        return tail++ & 0xFFFF;
    }

    private int offset(long position) {
        return (int) (position - start) & ringSize - 1;
    }

    /**
     * Whether the next copy would reach beyond the ring's end. A ring that is to grow must be begun again, or become
     * larger, before it has such a copy.
     *
     * @param length of the copy, in bytes
     * @return false if it fits behind all copies since {@link #start}
     */
    public boolean reachesEnd(int length) {
        return reserved - start + length > ringSize;
    }

    /**
     * Begins at the ring's beginning again, if all bytes are consumed.
     *
     * @return false if some are not
     */
    public boolean restart() {
        if (consumed != reserved) {
            return false;
        }
        start = reserved;
        return true;
    }

    /**
     * Makes the ring larger at its end. No byte moves.
     *
     * @param size in bytes, a power of two, more than before
     * @throws IllegalStateException if a copy since {@link #start} went beyond the ring's end
     */
    public void grow(int size) {
        if (size <= ringSize || Integer.bitCount(size) != 1) {
            throw new IllegalArgumentException("not a power of two above " + ringSize + ": " + size);
        }
        if (reserved - start > ringSize) {
            throw new IllegalStateException("bytes may lie on both sides of the ring's end");
        }
        ringSize = size;
    }

    /**
     * The position of the stream that lies at the ring's beginning.
     *
     * @return a count of bytes
     */
    public long start() {
        return start;
    }

    /**
     * The offset of a copy.
     *
     * @param entry a sequence from {@link #reserve}
     * @return offset in the ring, in bytes
     */
    public int pointer(int entry) {
        return pointer[entry & pointer.length - 1];
    }

    /**
     * Size of a copy.
     *
     * @param entry a sequence from {@link #reserve}
     * @return in bytes
     */
    public int size(int entry) {
        return size[entry & pointer.length - 1];
    }

    /**
     * The running total of Figure 5: bytes in use when the copy was reserved, itself included.
     *
     * @param entry a sequence from {@link #reserve}
     * @return in bytes
     */
    public int total(int entry) {
        return total[entry & pointer.length - 1];
    }

    /**
     * Records that a copy is done, and makes all data before the first copy that is not done readable.
     *
     * @param entry its sequence
     * @return false if no such copy is in flight: the device completed a copy twice, or one that was never requested
     */
    public boolean complete(int entry) {
        int age = entry - head & 0xFFFF;
        if (age >= tail - head || done[entry & pointer.length - 1]) {
            return false;
        }
        done[entry & pointer.length - 1] = true;
        while (head != tail && done[head & pointer.length - 1]) {
            produced += size[head & pointer.length - 1];
            head++;
        }
        return true;
    }

    /**
     * Takes the reader's count of bytes consumed.
     *
     * @param count the value that was read once from the reader's memory
     * @return false if it decreased or exceeds the bytes produced; then nothing changes
     */
    public boolean consume(long count) {
        if (count < consumed || count > produced) {
            return false;
        }
        consumed = count;
        return true;
    }

    /**
     * Number of bytes that became readable since the ring was opened.
     *
     * @return only grows
     */
    public long produced() {
        return produced;
    }

    /**
     * Number of bytes that the reader released, as last checked.
     *
     * @return only grows
     */
    public long consumed() {
        return consumed;
    }

    /**
     * Room that is not reserved.
     *
     * @return in bytes
     */
    public int free() {
        return ringSize - (int) (reserved - consumed);
    }

    /**
     * Size of the part of the ring that is in use.
     *
     * @return in bytes, a power of two
     */
    public int ringSize() {
        return ringSize;
    }

    /**
     * Number of copies that are reserved and not yet readable: a copy that is done counts while an earlier one is not.
     *
     * @return 0 to the maximum
     */
    public int inFlight() {
        return tail - head;
    }

    private void grow() {
        int length = pointer.length * 2;
        int[] newPointer = new int[length];
        int[] newSize = new int[length];
        int[] newTotal = new int[length];
        boolean[] newDone = new boolean[length];
        for (int entry = head; entry != tail; entry++) {
            int from = entry & pointer.length - 1;
            int to = entry & length - 1;
            newPointer[to] = pointer[from];
            newSize[to] = size[from];
            newTotal[to] = total[from];
            newDone[to] = done[from];
        }
        pointer = newPointer;
        size = newSize;
        total = newTotal;
        done = newDone;
    }
}
