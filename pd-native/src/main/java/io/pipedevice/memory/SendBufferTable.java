// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The send buffer table (SBT) of Figure 5: one entry (pointer, size, running total) for each block that pd_malloc took
 * from a socket's send ring. Blocks are released in any order; their space is reclaimed in the order of allocation.
 *
 * <pre>
 *  ring:   0        head                              tail           size
 *          +---------+-------+------+----------+-------+--------------+
 *          |  free   | blk 7 | blk 8| (free'd) | blk 10|     free     |
 *          +---------+-------+------+----------+-------+--------------+
 *  table:              |7|     |8|     |9|        |10|
 * </pre>
 *
 * <p>A block is contiguous. If it does not fit before the end of the ring, it starts at the ring's beginning, and the
 * gap counts as used until the block is reclaimed. A released block is reclaimed only when the sends that use it are
 * completed.
 *
 * <p>{@link #allocate}, {@link #sent} and {@link #reclaim} belong to one thread at a time, the socket's sender;
 * {@link #release} may be called by any thread. Block numbers are never reused, so a stale one is recognised.
 */
public final class SendBufferTable {
    /** There is no room for the block now. */
    public static final long FULL = -1;

    /** No completion makes room, because the oldest block is not released. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Alignment of blocks in the ring, in bytes: equal-sized messages of a multiple of this lie back to back. */
    public static final int ALIGNMENT = 8;

    private static final int CHUNK = 64;
    private static final int SHORTEST_CUT = 4096;
    private static final long ALLOCATED = 1;
    private static final long RELEASED = 2;
    private static final VarHandle STATE = MethodHandles.arrayElementVarHandle(long[].class);

    /** A part of the table, allocated when it is first needed, so that an idle socket's table costs almost nothing. */
    private static final class Chunk {
        final int[] pointer = new int[CHUNK];
        final int[] size = new int[CHUNK];
        final int[] total = new int[CHUNK];
        final long[] end = new long[CHUNK];
        final long[] lastSend = new long[CHUNK];
        final long[] state = new long[CHUNK];
    }

    private final int maxBlocks;
    private final Chunk[] chunks;

    /** The part of the ring that is in use, and the position of its first byte; belong to the sender. */
    private int ringSize;

    private long start;

    /** Numbers of the oldest block and of the next one; belong to the sender. */
    private long head;

    private long tail;

    /** Positions of the oldest used and of the next free byte; belong to the sender. */
    private long headPosition;

    private long tailPosition;

    /**
     * Creates the table of an empty ring.
     *
     * @param ringSize in bytes, a power of two
     * @param maxBlocks blocks at a time, a power of two, at least 64
     */
    public SendBufferTable(int ringSize, int maxBlocks) {
        if (ringSize < ALIGNMENT
                || Integer.bitCount(ringSize) != 1
                || maxBlocks < CHUNK
                || Integer.bitCount(maxBlocks) != 1) {
            throw new IllegalArgumentException("not powers of two in range: " + ringSize + ", " + maxBlocks);
        }
        this.ringSize = ringSize;
        this.maxBlocks = maxBlocks;
        this.chunks = new Chunk[maxBlocks / CHUNK];
    }

    /**
     * Takes a contiguous block.
     *
     * @param size in bytes, 1 to the ring's size
     * @return the block's number, or {@link #FULL}
     * @throws IllegalArgumentException if no ring of this size can ever hold the block
     */
    public long allocate(int size) {
        if (size < 1 || size > ringSize) {
            throw new IllegalArgumentException("a block has 1 to " + ringSize + " bytes: " + size);
        }
        int aligned = size + ALIGNMENT - 1 & -ALIGNMENT;
        if (head == tail) {
            // The ring is empty. Begin at its start again, which is still in the cache.
            start = tailPosition;
            headPosition = tailPosition;
        }
        int offset = offset(tailPosition);
        int gap = offset + aligned > ringSize ? ringSize - offset : 0;
        long end = tailPosition + gap + aligned;
        if (end - headPosition > ringSize || tail - head == maxBlocks) {
            return FULL;
        }
        long block = tail;
        Chunk chunk = chunkFor(block);
        int i = (int) block & CHUNK - 1;
        chunk.pointer[i] = gap == 0 ? offset : 0;
        chunk.size[i] = size;
        chunk.total[i] = (int) (end - headPosition);
        chunk.end[i] = end;
        chunk.lastSend[i] = 0;
        STATE.setRelease(chunk.state, i, block << 2 | ALLOCATED);
        tail = block + 1;
        tailPosition = end;
        return block;
    }

    /**
     * The size that the next block of a stream should have: the bytes that fit in one piece now. A piece is cut at the
     * end of the ring to avoid a gap there, unless it would be so short that one block costs less than two.
     *
     * @param wanted in bytes, 1 to the ring's size
     * @return a size that {@link #allocate} has room for, at most {@code wanted}; 0 if there is none
     */
    public int fit(int wanted) {
        if (head == tail) {
            return wanted;
        }
        int free = tail - head == maxBlocks ? 0 : ringSize - used();
        int toEnd = ringSize - offset(tailPosition);
        if (wanted > toEnd && (toEnd >= SHORTEST_CUT || wanted > free - toEnd)) {
            return Math.min(toEnd, free);
        }
        return Math.min(wanted, free);
    }

    private int offset(long position) {
        return (int) (position - start) & ringSize - 1;
    }

    /**
     * Whether the next block would lie beyond the ring's end, or at its beginning while other blocks are in use. A ring
     * that is to grow must become larger before it has such a block.
     *
     * @param size of the block, in bytes, 1 or more
     * @return false if it fits behind the blocks that are in use
     */
    public boolean reachesEnd(int size) {
        return (head == tail ? 0 : tailPosition - start) + size > ringSize;
    }

    /**
     * Makes the ring larger at its end. No block moves.
     *
     * @param size in bytes, a power of two, more than before
     * @throws IllegalStateException if there was a block at the ring's beginning while others were in use, unless the
     *     ring was empty since
     */
    public void grow(int size) {
        if (size <= ringSize || Integer.bitCount(size) != 1) {
            throw new IllegalArgumentException("not a power of two above " + ringSize + ": " + size);
        }
        if (head != tail && tailPosition - start > ringSize) {
            throw new IllegalStateException("blocks may be in use on both sides of the ring's end");
        }
        ringSize = size;
    }

    /**
     * The offset of a block in the ring.
     *
     * @param block a number from {@link #allocate}, not released
     * @return offset in bytes
     */
    public int pointer(long block) {
        return chunk(block).pointer[(int) block & CHUNK - 1];
    }

    /**
     * The requested size of a block.
     *
     * @param block a number from {@link #allocate}, not released
     * @return in bytes
     */
    public int size(long block) {
        return chunk(block).size[(int) block & CHUNK - 1];
    }

    /**
     * The running total of Figure 5: bytes in use when the block was allocated, itself included.
     *
     * @param block a number from {@link #allocate}, not released
     * @return in bytes
     */
    public int total(long block) {
        return chunk(block).total[(int) block & CHUNK - 1];
    }

    /**
     * Whether a number names a block that is allocated and not released.
     *
     * @param block any number
     * @return false for stale and foreign numbers
     */
    public boolean isAllocated(long block) {
        Chunk chunk = isNumber(block) ? chunk(block) : null;
        return chunk != null
                && (long) STATE.getAcquire(chunk.state, (int) block & CHUNK - 1) == (block << 2 | ALLOCATED);
    }

    /**
     * Records that a block was posted.
     *
     * @param block allocated
     * @param send the number of the send, from 1 on, growing
     */
    public void sent(long block, long send) {
        chunk(block).lastSend[(int) block & CHUNK - 1] = send;
    }

    /**
     * The last send that used a block.
     *
     * @param block allocated
     * @return its number, 0 if there was none
     */
    public long lastSend(long block) {
        return chunk(block).lastSend[(int) block & CHUNK - 1];
    }

    /**
     * Releases a block. Thread safe.
     *
     * @param block any number
     * @return false if it is not allocated: released before, or never this table's
     */
    public boolean release(long block) {
        Chunk chunk = isNumber(block) ? chunk(block) : null;
        return chunk != null
                && STATE.compareAndSet(
                        chunk.state, (int) block & CHUNK - 1, block << 2 | ALLOCATED, block << 2 | RELEASED);
    }

    /**
     * Reclaims the space of the oldest blocks up to the first that is not released or whose sends are not completed.
     *
     * @param completed number of sends that are completed
     */
    public void reclaim(long completed) {
        while (head != tail) {
            Chunk chunk = chunk(head);
            int i = (int) head & CHUNK - 1;
            if ((long) STATE.getAcquire(chunk.state, i) != (head << 2 | RELEASED) || chunk.lastSend[i] > completed) {
                return;
            }
            headPosition = chunk.end[i];
            head++;
        }
    }

    /**
     * The send that must complete before a block fits, given the blocks that are released by now.
     *
     * @param size of the block, in bytes, 1 to the ring's size
     * @return the number of a send, 0 if the block fits once {@link #reclaim} was called, or {@link #NEVER} if nothing
     *     is reclaimed before the oldest block is released
     */
    public long sendToAwait(int size) {
        // The caller has announced that it waits. A thread that releases a block that the loop below sees as not
        // released will see the announcement.
        VarHandle.fullFence();
        int aligned = size + ALIGNMENT - 1 & -ALIGNMENT;
        int offset = offset(tailPosition);
        long end = tailPosition + (offset + aligned > ringSize ? ringSize - offset : 0) + aligned;
        long position = headPosition;
        long send = 0;
        for (long block = head; block != tail; block++) {
            if (end - position <= ringSize && tail - block < maxBlocks) {
                return send;
            }
            Chunk chunk = chunk(block);
            int i = (int) block & CHUNK - 1;
            if ((long) STATE.getAcquire(chunk.state, i) != (block << 2 | RELEASED)) {
                return block == head ? NEVER : send;
            }
            send = Math.max(send, chunk.lastSend[i]);
            position = chunk.end[i];
        }
        return send;
    }

    /**
     * Number of bytes that are not free: blocks, and gaps before the ring's end.
     *
     * @return 0 to the ring's size
     */
    public int used() {
        return (int) (tailPosition - headPosition);
    }

    /**
     * Number of blocks that are not reclaimed.
     *
     * @return 0 to the table's maximum
     */
    public int blocks() {
        return (int) (tail - head);
    }

    /** Whether a number fits into one word together with its state. Other numbers would alias valid ones. */
    private static boolean isNumber(long block) {
        return block >>> 62 == 0;
    }

    private Chunk chunk(long block) {
        return chunks[(int) block >>> 6 & chunks.length - 1];
    }

    private Chunk chunkFor(long block) {
        int index = (int) block >>> 6 & chunks.length - 1;
        Chunk chunk = chunks[index];
        if (chunk == null) {
            chunk = new Chunk();
            chunks[index] = chunk;
        }
        return chunk;
    }
}
