// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

/**
 * Layout of the memory that a process that serves calls owns and PD Driver maps read-only: what has become of the
 * calls.
 *
 * <pre>
 *    0 +------------------------------------------------------------+
 *      | magic "PDRETURN"                                           |
 *    8 | layout version                                             |
 *   64 +------------------------------------------------------------+
 *      | for each lane: one slot                                    |
 *      +------------------------------------------------------------+
 *
 *  slot:   0          64
 *         +----------+-------------------------------------------+
 *         | arm word | depth entries                             |
 *         +----------+-------------------------------------------+
 *
 *  entry:  0        8        16       20       24      28      56      64
 *         +--------+--------+--------+--------+-------+-------+-------+---------+-------+
 *         | number | result | status | length | delay |   -   | stamp | message | state |
 *         |        |        |        | of the |       |       |       |         |       |
 *         |        |        |        | state  |       |       |       |         |       |
 *         +--------+--------+--------+--------+-------+-------+-------+---------+-------+
 * </pre>
 *
 * <p>The number is that of the call. A call of status MOVED continues at the device, from its state. There is always
 * room for a return, because a lane has at most {@code depth} calls whose returns the driver has not taken.
 */
public final class ReturnPageDescriptor {
    /** Value of the magic word. */
    public static final long MAGIC = 0x4E52_5554_4552_4450L;

    /** Version of this layout. */
    public static final long VERSION = 1;

    /** Offset of the version; the magic word comes first. */
    public static final int VERSION_OFFSET = 8;

    static final int NUMBER_OFFSET = 0;
    static final int RESULT_OFFSET = 8;
    static final int STATUS_OFFSET = 16;
    static final int DELAY_OFFSET = 24;
    static final int STAMP_OFFSET = 56;
    static final int MESSAGE_OFFSET = 64;

    private static final int LANES_OFFSET = 64;
    private static final int ENTRIES_OFFSET = 64;

    private ReturnPageDescriptor() {}

    static long arm(int depth, int room, int lane) {
        return LANES_OFFSET + lane * (ENTRIES_OFFSET + (long) depth * (MESSAGE_OFFSET + room));
    }

    static long entry(int depth, int room, int lane, long index) {
        return arm(depth, room, lane) + ENTRIES_OFFSET + (index & depth - 1) * (MESSAGE_OFFSET + room);
    }

    /**
     * Length of the memory.
     *
     * @param lanes their number
     * @param depth of each
     * @param room of an entry
     * @return in bytes
     */
    public static long length(int lanes, int depth, int room) {
        return arm(depth, room, lanes);
    }
}
