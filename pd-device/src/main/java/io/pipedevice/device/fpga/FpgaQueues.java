// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.fpga;

import io.pipedevice.queue.CommandConsumer;
import io.pipedevice.queue.CommandProducer;
import io.pipedevice.queue.CommandQueueDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The memory of a lane's SQ and CQ, and its device addresses. Does not own the memory. */
final class FpgaQueues {
    private final MemorySegment submissions;
    private final long submissionsAt;
    private final MemorySegment completions;
    private final long completionsAt;
    private final int depth;

    FpgaQueues(
            MemorySegment submissions, long submissionsAt, MemorySegment completions, long completionsAt, int depth) {
        this.submissions = submissions;
        this.submissionsAt = submissionsAt;
        this.completions = completions;
        this.completionsAt = completionsAt;
        this.depth = depth;
    }

    long submissionsAt() {
        return submissionsAt;
    }

    long completionsAt() {
        return completionsAt;
    }

    int depth() {
        return depth;
    }

    /** Empties both queues, while the device uses neither. */
    void clear() {
        submissions.fill((byte) 0);
        completions.fill((byte) 0);
    }

    CommandProducer producer() {
        return new CommandProducer(submissions, depth, depth);
    }

    CommandConsumer consumer() {
        return new CommandConsumer(completions, depth, depth);
    }

    /** Frees entries of the SQ. Their completions show that the device took them. */
    void giveBack(long position) {
        submissions.set(ValueLayout.JAVA_LONG, CommandQueueDescriptor.HEAD_OFFSET, position);
    }

    /** Reads the commands in the SQ after the position that was freed last. */
    CommandConsumer outstanding() {
        return new CommandConsumer(submissions, depth, depth);
    }
}
