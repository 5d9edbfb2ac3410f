// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.model;

import static io.pipedevice.device.fpga.FpgaDescriptor.*;

import io.pipedevice.queue.CommandDescriptor;
import io.pipedevice.queue.CommandQueueDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A lane's registers. The host's thread writes them; the lane's pipeline reads them and moves the positions of the
 * device. The control register, and those that may be written only while the lane is disabled, are written under the
 * pipeline's lock.
 */
final class ModelLane {
    private static final long NOT_ARMED = -1;
    private static final int MAX_HOLD_OFF_MICROS = 10_000;

    final int index;
    private final int maxDepth;

    private volatile long submissionsBase;
    private volatile long completionsBase;
    private volatile int depth;
    private volatile int threshold;
    private volatile int holdOff;
    private volatile boolean enabled;
    private volatile boolean halted;
    private volatile int error;
    private volatile int sqTail;
    private volatile int sqHead;
    private volatile int cqHead;
    private volatile int cqTail;

    /** The interrupt is raised when the CQ's tail differs from this position. */
    private final AtomicLong armed = new AtomicLong(NOT_ARMED);

    /** Pipeline: number of entries written into the CQ, and time of the last interrupt. */
    int written;

    private long cqTailWhole;
    private long raisedAtNs;

    /** Pipeline: a completion that a fault holds back until the next one. */
    final MemorySegment heldBack = MemorySegment.ofArray(new byte[CommandDescriptor.ENTRY_LENGTH]);

    boolean holds;

    ModelLane(int index, int maxDepth) {
        this.index = index;
        this.maxDepth = maxDepth;
        reset();
    }

    /** Under the pipeline's lock: all registers get their reset values. */
    void reset() {
        enabled = false;
        halted = false;
        error = 0;
        submissionsBase = 0;
        completionsBase = 0;
        depth = 0;
        threshold = 1;
        holdOff = 0;
        clearPositions();
    }

    private void clearPositions() {
        armed.set(NOT_ARMED);
        sqTail = 0;
        sqHead = 0;
        cqHead = 0;
        cqTail = 0;
        cqTailWhole = 0;
        written = 0;
        holds = false;
    }

    int read(int offset) {
        return switch (offset) {
            case SQ_BASE_LOW_OFFSET -> (int) submissionsBase;
            case SQ_BASE_HIGH_OFFSET -> (int) (submissionsBase >>> 32);
            case CQ_BASE_LOW_OFFSET -> (int) completionsBase;
            case CQ_BASE_HIGH_OFFSET -> (int) (completionsBase >>> 32);
            case DEPTH_OFFSET -> depth;
            case LANE_CONTROL_OFFSET -> enabled ? LANE_ENABLE : 0;
            case LANE_STATUS_OFFSET -> halted ? LANE_HALTED : enabled ? LANE_ACTIVE : 0;
            case LANE_ERROR_OFFSET -> error;
            case SQ_TAIL_OFFSET -> sqTail;
            case SQ_HEAD_OFFSET -> sqHead;
            case CQ_HEAD_OFFSET -> cqHead;
            case CQ_TAIL_OFFSET -> cqTail;
            case CQ_THRESHOLD_OFFSET -> threshold;
            case HOLD_OFF_OFFSET -> holdOff;
            case INTERRUPT_STATUS_OFFSET -> armed.get() == NOT_ARMED ? 0 : INTERRUPT_ARMED;
            default -> 0;
        };
    }

    /** Writes a register that only concerns the running lane; false if the write is forbidden now. */
    boolean writeRunning(int offset, int value) {
        if (!isActive()) {
            return false;
        }
        switch (offset) {
            case SQ_TAIL_OFFSET -> sqTail = value;
            case CQ_HEAD_OFFSET -> cqHead = value;
            case ARM_OFFSET -> armed.set(Integer.toUnsignedLong(value));
            case DISARM_OFFSET -> armed.set(NOT_ARMED);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Whether a doorbell may have this value. Called before the register is written. */
    boolean isPossible(int offset, int value) {
        if (offset == SQ_TAIL_OFFSET) {
            int more = value - sqTail;
            return more >= 0 && Integer.compareUnsigned(value - sqHead, depth) <= 0;
        }
        if (offset == CQ_HEAD_OFFSET) {
            return Integer.compareUnsigned(value - cqHead, cqTail - cqHead) <= 0;
        }
        return true;
    }

    /** Under the pipeline's lock: writes a register of the configuration; false if the write is forbidden now. */
    boolean configure(int offset, int value) {
        if (enabled || halted) {
            return false;
        }
        switch (offset) {
            case SQ_BASE_LOW_OFFSET -> submissionsBase = low(submissionsBase, value);
            case SQ_BASE_HIGH_OFFSET -> submissionsBase = high(submissionsBase, value);
            case CQ_BASE_LOW_OFFSET -> completionsBase = low(completionsBase, value);
            case CQ_BASE_HIGH_OFFSET -> completionsBase = high(completionsBase, value);
            case DEPTH_OFFSET -> depth = value;
            case CQ_THRESHOLD_OFFSET -> threshold = value;
            case HOLD_OFF_OFFSET -> holdOff = value;
            default -> {
                return false;
            }
        }
        return true;
    }

    private static long low(long base, int value) {
        return (base & 0xFFFF_FFFF_0000_0000L) | Integer.toUnsignedLong(value);
    }

    private static long high(long base, int value) {
        return (base & 0xFFFF_FFFFL) | (long) value << 32;
    }

    /** Under the pipeline's lock: enables or disables the lane; false if its configuration is invalid. */
    boolean control(int value) {
        boolean enable = (value & LANE_ENABLE) != 0;
        if (halted || enable == enabled) {
            return true;
        }
        if (!enable) {
            enabled = false;
            return true;
        }
        clearPositions();
        boolean possible = isBase(submissionsBase)
                && isBase(completionsBase)
                && depth >= CommandQueueDescriptor.MIN_DEPTH
                && depth <= maxDepth
                && Integer.bitCount(depth) == 1
                && threshold >= 1
                && threshold <= depth
                && holdOff >= 0
                && holdOff <= MAX_HOLD_OFF_MICROS;
        enabled = possible;
        if (!possible) {
            halt(ERROR_CONFIGURATION);
        }
        return possible;
    }

    private static boolean isBase(long base) {
        return base != 0 && base % QUEUE_ALIGNMENT == 0;
    }

    void halt(int reason) {
        error = reason;
        halted = true;
    }

    boolean isActive() {
        return enabled && !halted;
    }

    /** Pipeline: number of commands that may be taken such that each has a place for its completion. */
    int available() {
        int room = depth - (written - cqHead) - (holds ? 1 : 0);
        return Math.min(sqTail - sqHead, room);
    }

    /** Pipeline: address of the command at distance {@code ahead} from the next one. */
    long submissionAddress(int ahead) {
        return entry(submissionsBase, sqHead + ahead);
    }

    /** Pipeline: takes commands. */
    void take(int count) {
        // Only the pipeline writes it.
        int before = sqHead;
        sqHead = before + count;
    }

    /** Pipeline: address of the next completion. */
    long completionAddress() {
        return entry(completionsBase, written);
    }

    private long entry(long base, int position) {
        return base
                + CommandQueueDescriptor.ENTRIES_OFFSET
                + (long) (position & depth - 1) * CommandDescriptor.ENTRY_LENGTH;
    }

    long tailAddress() {
        return completionsBase + CommandQueueDescriptor.TAIL_OFFSET;
    }

    /** Pipeline: whether completions must be published now. */
    boolean isPublishDue() {
        int waiting = written - cqTail;
        return waiting >= threshold || (waiting > 0 && available() <= 0);
    }

    /** Pipeline: moves the register to the last entry written; returns the tail to write into the host's memory. */
    long publish() {
        cqTailWhole += written - cqTail;
        cqTail = written;
        return cqTailWhole;
    }

    /**
     * Pipeline: takes the interrupt that is due.
     *
     * @return 0 if it must be raised now, else the delay in nanoseconds, or {@link Long#MAX_VALUE} for never
     */
    long takeInterrupt(long nowNs) {
        long wanted = armed.get();
        if (wanted == NOT_ARMED || (int) wanted == cqTail) {
            return Long.MAX_VALUE;
        }
        long wait = raisedAtNs + TimeUnit.MICROSECONDS.toNanos(holdOff) - nowNs;
        if (raisedAtNs != 0 && wait > 0) {
            return wait;
        }
        if (!armed.compareAndSet(wanted, NOT_ARMED)) {
            return Long.MAX_VALUE;
        }
        raisedAtNs = nowNs;
        return 0;
    }
}
