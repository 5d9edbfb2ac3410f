// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

/**
 * Layout of the memory that a process owns and PD Driver maps read-only: the requests of its queue pairs.
 *
 * <pre>
 *    0 +------------------------------------------------------------+
 *      | magic "PDOPERAT"                                           |
 *    8 | layout version                                             |
 *   64 +------------------------------------------------------------+
 *      | activity: one word for each group of 64 queue pairs        |
 *  192 +------------------------------------------------------------+
 *      | one slot for each queue pair                               |
 *      +------------------------------------------------------------+
 *
 *  slot:  0             8          64
 *        +-------------+----------+----------------------------------+
 *        | completions | arm word | requests: depth entries of 64    |
 *        | consumed    |          | bytes ({@link OperationDescriptor})       |
 *        +-------------+----------+----------------------------------+
 * </pre>
 *
 * <p>An activity word grows after requests were posted to a queue pair of its group, so that the driver looks at the
 * others only then. The arm word ({@link io.pipedevice.protocol.ArmWord}) announces a thread that sleeps until there is
 * a completion. A queue pair has at most {@code depth} operations whose completions were not consumed.
 */
public final class OperationPageDescriptor {
    /** Value of the magic word. */
    public static final long MAGIC = 0x5441_5245_504F_4450L;

    /** Version of this layout. */
    public static final long VERSION = 1;

    /** Offset of the version; the magic word comes first. */
    public static final int VERSION_OFFSET = 8;

    /** Most queue pairs of an attachment. */
    public static final int MAX_QUEUES = 1024;

    /** Least depth of a queue pair. */
    public static final int MIN_DEPTH = 2;

    /** Greatest depth of a queue pair. */
    public static final int MAX_DEPTH = 256;

    /** Queue pairs that share an activity word. */
    public static final int GROUP = 64;

    /** Offset in a slot of the count of completions consumed. */
    public static final int CONSUMED_OFFSET = 0;

    /** Offset in a slot of the arm word. */
    public static final int ARM_OFFSET = 8;

    private static final int ACTIVITY_OFFSET = 64;
    private static final int SLOTS_OFFSET = ACTIVITY_OFFSET + MAX_QUEUES / GROUP * Long.BYTES;
    private static final int REQUESTS_OFFSET = 64;

    private OperationPageDescriptor() {}

    /**
     * Offset of the activity word of a queue pair's group.
     *
     * @param queue number of the queue pair
     * @return in bytes from the start of the page
     */
    public static long activity(int queue) {
        return ACTIVITY_OFFSET + (long) (queue / GROUP) * Long.BYTES;
    }

    /**
     * Offset of a queue pair's slot.
     *
     * @param depth of all queue pairs
     * @param queue number of the queue pair
     * @return in bytes from the start of the page
     */
    public static long slot(int depth, int queue) {
        return SLOTS_OFFSET + queue * (REQUESTS_OFFSET + (long) depth * OperationDescriptor.LENGTH);
    }

    /**
     * Offset of a queue pair's requests.
     *
     * @param depth of all queue pairs
     * @param queue number of the queue pair
     * @return in bytes from the start of the page
     */
    public static long requests(int depth, int queue) {
        return slot(depth, queue) + REQUESTS_OFFSET;
    }

    /**
     * Length of the memory.
     *
     * @param depth of all queue pairs
     * @param queues number of queue pairs
     * @return in bytes
     */
    public static long length(int depth, int queues) {
        return slot(depth, queues);
    }

    /**
     * Whether queue pairs may have a depth.
     *
     * @param depth any number
     * @return whether it is a power of two from {@link #MIN_DEPTH} to {@link #MAX_DEPTH}
     */
    public static boolean isDepth(int depth) {
        return depth >= MIN_DEPTH && depth <= MAX_DEPTH && Integer.bitCount(depth) == 1;
    }
}
