// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.queue;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The consuming end of an SQ or CQ: copies entries out at a private position, and releases them in batches.
 *
 * <p>Used by one thread at a time. Does not own the memory. Layout: {@link CommandQueueDescriptor}.
 */
public final class CommandConsumer extends QueuePositions {
    private static final VarHandle POSITION = Foreign.handle(ValueLayout.JAVA_LONG);

    private final MemorySegment memory;
    private final int depth;
    private final int threshold;

    /**
     * Attaches to a queue whose memory is zero or was left by another consumer.
     *
     * @param memory 32-byte aligned, at least {@link CommandQueueDescriptor#requiredLength} bytes
     * @param depth in entries, as the producer has it
     * @param threshold entries after which the head is published without a flush, 1 to {@code depth}
     * @throws IllegalArgumentException if a value is out of range or the memory is too small
     */
    public CommandConsumer(MemorySegment memory, int depth, int threshold) {
        this.memory = QueueMemory.check(memory, depth, threshold);
        this.depth = depth;
        this.threshold = threshold;
        this.position = (long) POSITION.getAcquire(memory, (long) CommandQueueDescriptor.HEAD_OFFSET);
        this.published = position;
        this.otherEnd = position;
    }

    /**
     * Copies the next command out.
     *
     * @param into receives the command
     * @return false if there is none; all entries taken so far are then released
     */
    public boolean poll(Command into) {
        long head = position;
        if (head == otherEnd && !refresh(head)) {
            flush();
            return false;
        }
        into.read(memory, QueueMemory.entry(head, depth));
        position = head + 1;
        if (head + 1 - published >= threshold) {
            flush();
        }
        return true;
    }

    /** Releases the entries that were taken to the producer. */
    public void flush() {
        if (position != published) {
            POSITION.setRelease(memory, (long) CommandQueueDescriptor.HEAD_OFFSET, position);
            published = position;
        }
    }

    /**
     * Whether no command is published beyond those taken.
     *
     * @return true if {@link #poll} would return false
     */
    public boolean isEmpty() {
        return position == otherEnd && !refresh(position);
    }

    private boolean refresh(long head) {
        otherEnd = (long) POSITION.getAcquire(memory, (long) CommandQueueDescriptor.TAIL_OFFSET);
        return head != otherEnd;
    }
}
