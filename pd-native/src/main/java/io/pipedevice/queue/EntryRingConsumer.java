// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.queue;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The consuming end of a ring of commands between two processes; see {@link EntryRingProducer} for the layout.
 *
 * <p>Even if the producing process writes anything, this takes at most one command per entry and lap, and reads each of
 * its words once. The fields of the command are not checked here. Used by one thread at a time. Does not own the
 * memory.
 */
public final class EntryRingConsumer extends QueuePositions {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private final MemorySegment entries;
    private final MemorySegment consumed;
    private final long consumedOffset;
    private final int depth;
    private final int lapShift;

    /**
     * Attaches to a ring from its start.
     *
     * @param entries {@code depth} entries, 32-byte aligned
     * @param depth a power of two, 2 to {@link EntryRingProducer#MAX_DEPTH}
     * @param consumed memory of this process that holds the consumer's word
     * @param consumedOffset offset of that word, a multiple of eight
     */
    public EntryRingConsumer(MemorySegment entries, int depth, MemorySegment consumed, long consumedOffset) {
        EntryRingProducer.checkDepth(depth);
        this.entries = entries.asSlice(0, (long) depth * CommandDescriptor.ENTRY_LENGTH);
        this.depth = depth;
        this.lapShift = Integer.numberOfTrailingZeros(depth);
        this.consumed = consumed;
        this.consumedOffset = consumedOffset;
    }

    /**
     * Copies the next command out. The consumer keeps its entry until {@link #flush}.
     *
     * @param into receives the command
     * @return false if there is none
     */
    public boolean poll(Command into) {
        long head = position;
        long offset = (head & depth - 1) * CommandDescriptor.ENTRY_LENGTH;
        if (!into.readStamped(entries, offset, (int) (head >>> lapShift) + 1)) {
            return false;
        }
        position = head + 1;
        return true;
    }

    /** Releases the entries that were taken to the producer. */
    public void flush() {
        if (position != published) {
            WORD.setRelease(consumed, consumedOffset, position);
            published = position;
        }
    }

    /**
     * Whether no command is published beyond those taken.
     *
     * @return true if {@link #poll} would return false
     */
    public boolean isEmpty() {
        long offset = (position & depth - 1) * CommandDescriptor.ENTRY_LENGTH;
        long last = (long) WORD.getAcquire(entries, offset + 24);
        return CommandDescriptor.tag(last) != (int) (position >>> lapShift) + 1;
    }
}
