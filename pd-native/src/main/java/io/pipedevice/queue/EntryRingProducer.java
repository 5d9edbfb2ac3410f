// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.queue;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The producing end of a ring of commands between two processes that do not trust each other: PD Lib's requests to PD
 * Driver, and the driver's events to PD Lib.
 *
 * <p>The entries are in memory that the producing process owns and the other maps read-only. The position up to which
 * they were consumed is in a word that the consuming process owns. Each side keeps its own position private. An entry
 * is published by its tag, which is stored last. The tag is the number of the lap, from 1, so neither fresh memory nor
 * an entry of the previous lap looks like a new entry, and any number of threads may produce concurrently.
 *
 * <pre>
 *   producer's memory                          consumer's memory
 *  +----------------------------------+       +----------+
 *  | entry 0 | entry 1 | ... | depth-1|       | consumed |
 *  +----------------------------------+       +----------+
 * </pre>
 *
 * <p>Thread safe. Does not own the memory.
 */
public final class EntryRingProducer {
    /** Largest depth: six events for each of the most sockets that a process can have. */
    public static final int MAX_DEPTH = 1 << 19;

    /** The ring has no room. */
    public static final int FULL = 0;

    /** The command is in the ring. */
    public static final int PUBLISHED = 1;

    /** The consumer's word holds a value that no honest consumer writes; nothing was written. */
    public static final int CORRUPT = -1;

    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);
    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(EntryRingProducer.class, "tail", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MemorySegment entries;
    private final MemorySegment consumed;
    private final long consumedOffset;
    private final int depth;
    private final int lapShift;

    /** Entries claimed; changed by compare-and-set. */
    private volatile long tail;

    /**
     * A consumer's position that was read and checked. Any thread may raise it; a lost update only costs another read.
     */
    private volatile long checkedConsumed;

    /**
     * Attaches to zeroed memory.
     *
     * @param entries {@code depth} entries, 32-byte aligned, writable
     * @param depth a power of two, 2 to {@link #MAX_DEPTH}
     * @param consumed memory that holds the consumer's word
     * @param consumedOffset offset of that word, a multiple of eight
     */
    public EntryRingProducer(MemorySegment entries, int depth, MemorySegment consumed, long consumedOffset) {
        checkDepth(depth);
        this.entries = entries.asSlice(0, (long) depth * CommandDescriptor.ENTRY_LENGTH);
        this.depth = depth;
        this.lapShift = Integer.numberOfTrailingZeros(depth);
        this.consumed = consumed;
        this.consumedOffset = consumedOffset;
    }

    static void checkDepth(int depth) {
        if (depth < CommandQueueDescriptor.MIN_DEPTH || depth > MAX_DEPTH || Integer.bitCount(depth) != 1) {
            throw new IllegalArgumentException("ring depth must be a power of two from "
                    + CommandQueueDescriptor.MIN_DEPTH + " to " + MAX_DEPTH + ": " + depth);
        }
    }

    /**
     * Writes and publishes a command.
     *
     * @param type one of {@link CommandType}
     * @param source address, or as the type specifies
     * @param destination address, or as the type specifies
     * @param length in bytes
     * @param socketId 0 to 65535
     * @param tableId 0 to 255
     * @param entrySequence 0 to 65535
     * @return {@link #PUBLISHED}, {@link #FULL} or {@link #CORRUPT}
     */
    public int offer(
            int type, long source, long destination, int length, int socketId, int tableId, int entrySequence) {
        long position;
        do {
            position = tail;
            if (position - checkedConsumed >= depth) {
                int room = refresh(position);
                if (room != PUBLISHED) {
                    return room;
                }
            }
        } while (!TAIL.compareAndSet(this, position, position + 1));
        long offset = (position & depth - 1) * CommandDescriptor.ENTRY_LENGTH;
        WORD.set(entries, offset, CommandDescriptor.word0(type, source));
        WORD.set(entries, offset + 8, CommandDescriptor.word1(source, destination));
        WORD.set(entries, offset + 16, CommandDescriptor.word2(destination, length, 0, socketId, tableId));
        int stamp = (int) (position >>> lapShift) + 1;
        WORD.setRelease(entries, offset + 24, CommandDescriptor.word3(entrySequence, length, stamp));
        return PUBLISHED;
    }

    /**
     * How many commands were consumed, as far as a producer that found no room has seen.
     *
     * @return a number that grows while the consumer takes commands
     */
    public long consumed() {
        return checkedConsumed;
    }

    /** Reads the consumer's word, which may only grow, and never exceed the number of produced entries. */
    private int refresh(long position) {
        long before = checkedConsumed;
        long seen = (long) WORD.getAcquire(consumed, consumedOffset);
        if (seen < before || seen > tail) {
            return CORRUPT;
        }
        checkedConsumed = seen;
        return position - seen >= depth ? FULL : PUBLISHED;
    }
}
