// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

/**
 * Layout of the memory that PD Driver owns and a process that serves calls maps read-only: the calls.
 *
 * <pre>
 *    0 +------------------------------------------------------------+
 *      | magic "PDCALLS "                                           |
 *    8 | layout version                                             |
 *   64 +------------------------------------------------------------+
 *      | for each lane: depth entries                               |
 *      +------------------------------------------------------------+
 *
 *  entry:  0        8          12       16       24      32   56      64
 *         +--------+----------+--------+--------+-------+----+-------+---------+-------+
 *         | number | function | length | posted | flags | -  | stamp | message | state |
 *         |        | handle   | of the | at ns  |       |    |       |         |       |
 *         |        |          | state  |        |       |    |       |         |       |
 *         +--------+----------+--------+--------+-------+----+-------+---------+-------+
 * </pre>
 *
 * <p>The flags are {@link CallFlags}. The stamp is the number of the lap, from 1, and is stored last. The state, if
 * there is one, begins at the next multiple of 8 behind the message. An entry is used again when the call that was in
 * it has been taken: calls are taken in order, and at most {@code depth} of a lane have not been returned.
 */
public final class CallPageDescriptor {
    /** Value of the magic word. */
    public static final long MAGIC = 0x2053_4C4C_4143_4450L;

    /** Version of this layout. */
    public static final long VERSION = 1;

    /** Offset of the version; the magic word comes first. */
    public static final int VERSION_OFFSET = 8;

    /** Most lanes of a process. */
    public static final int MAX_LANES = 16;

    /** Greatest depth of a lane. */
    public static final int MAX_DEPTH = 64;

    /** Most room of an entry for a message and a state, in bytes. */
    public static final int MAX_ROOM = 64 << 10;

    static final int NUMBER_OFFSET = 0;
    static final int FUNCTION_OFFSET = 8;
    static final int POSTED_OFFSET = 16;
    static final int FLAGS_OFFSET = 24;
    static final int STAMP_OFFSET = 56;
    static final int MESSAGE_OFFSET = 64;

    private static final int LANES_OFFSET = 64;
    private static final int ROOM_UNIT = 64;

    private CallPageDescriptor() {}

    /**
     * Whether a process may have such lanes.
     *
     * @param lanes any value
     * @param depth any value
     * @param room of an entry, any value
     * @return whether all are within the limits
     */
    public static boolean isValid(int lanes, int depth, int room) {
        return lanes >= 1
                && lanes <= MAX_LANES
                && depth >= 2
                && depth <= MAX_DEPTH
                && Integer.bitCount(depth) == 1
                && room >= ROOM_UNIT
                && room <= MAX_ROOM
                && room % ROOM_UNIT == 0;
    }

    /**
     * The room of an entry for messages and states.
     *
     * @param messageLength the longest message, in bytes
     * @param stateLength the longest state, in bytes
     * @return in bytes
     */
    public static int room(int messageLength, int stateLength) {
        return (state(messageLength) + stateLength + ROOM_UNIT - 1) / ROOM_UNIT * ROOM_UNIT;
    }

    /**
     * Where the state lies behind a message.
     *
     * @param messageLength of the message, in bytes
     * @return in bytes from the beginning of the message
     */
    public static int state(int messageLength) {
        return (messageLength + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    }

    static long entry(int depth, int room, int lane, long index) {
        return LANES_OFFSET + (lane * (long) depth + (index & depth - 1)) * (MESSAGE_OFFSET + room);
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
        return entry(depth, room, lanes, 0);
    }
}
