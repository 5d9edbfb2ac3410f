// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.queue;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The producing end of an SQ or CQ: writes entries at a private position, and publishes them in batches (the paper's
 * sqthresh and cqthresh, Table 3), so that the two cores exchange the tail's cache line once for many entries.
 *
 * <p>Used by one thread at a time. Does not own the memory. Layout: {@link CommandQueueDescriptor}.
 */
public final class CommandProducer extends QueuePositions {
    private static final VarHandle POSITION = Foreign.handle(ValueLayout.JAVA_LONG);

    private final MemorySegment memory;
    private final int depth;
    private final int threshold;

    /**
     * Attaches to a queue whose memory is zero or was left by another producer.
     *
     * @param memory 32-byte aligned, at least {@link CommandQueueDescriptor#requiredLength} bytes
     * @param depth in entries, as the consumer has it
     * @param threshold entries after which the tail is published without a flush, 1 to {@code depth}
     * @throws IllegalArgumentException if a value is out of range or the memory is too small
     */
    public CommandProducer(MemorySegment memory, int depth, int threshold) {
        this.memory = QueueMemory.check(memory, depth, threshold);
        this.depth = depth;
        this.threshold = threshold;
        this.position = (long) POSITION.getAcquire(memory, (long) CommandQueueDescriptor.TAIL_OFFSET);
        this.published = position;
        this.otherEnd = (long) POSITION.getAcquire(memory, (long) CommandQueueDescriptor.HEAD_OFFSET);
    }

    /**
     * Writes a command, and publishes when the threshold is reached.
     *
     * @param command copied
     * @return false if the queue is full; everything written so far is then published
     */
    public boolean offer(Command command) {
        long tail = position;
        if (tail - otherEnd >= depth && !refresh(tail)) {
            flush();
            return false;
        }
        command.write(memory, QueueMemory.entry(tail, depth));
        position = tail + 1;
        if (tail + 1 - published >= threshold) {
            flush();
        }
        return true;
    }

    /** Publishes everything written to the consumer. */
    public void flush() {
        if (position != published) {
            POSITION.setRelease(memory, (long) CommandQueueDescriptor.TAIL_OFFSET, position);
            published = position;
        }
    }

    /**
     * Room for further commands.
     *
     * @return entries, 0 to the depth
     */
    public int available() {
        refresh(position);
        return depth - (int) (position - otherEnd);
    }

    private boolean refresh(long tail) {
        otherEnd = (long) POSITION.getAcquire(memory, (long) CommandQueueDescriptor.HEAD_OFFSET);
        return tail - otherEnd < depth;
    }
}
