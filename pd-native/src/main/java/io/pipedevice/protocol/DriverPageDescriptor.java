// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import io.pipedevice.queue.CommandDescriptor;

/**
 * Layout of the memory that PD Driver owns for each attached process, which maps it read-only: the events, and the
 * driver's words for each of the process's sockets.
 *
 * <pre>
 *    0 +-------------------------------------------------------+
 *      | magic "PDDRVPAG"                                      |
 *    8 | layout version                                        |
 *   64 +-------------------------------------------------------+
 *      | requests consumed (the process's request ring)        |
 *  128 +-------------------------------------------------------+
 *      | event ring: depth entries of 32 bytes                 |
 *      +-------------------------------------------------------+
 *      | one slot of 64 bytes for each socket id               |
 *      +-------------------------------------------------------+
 *
 *  slot:  0         8           16            24       32        40      48      64
 *        +---------+-----------+-------------+--------+---------+-------+--------+
 *        | produced| sends     | space wanted| state  | backlog | error | ring   |
 *        |         | completed |             |        |         |       |        |
 *        +---------+-----------+-------------+--------+---------+-------+--------+
 * </pre>
 *
 * <p>Produced is the count of bytes in the receive ring since the socket was opened; sends completed counts pd_send
 * calls whose block may be reused. Space wanted is the value of consumed ({@link LibPageDescriptor}) at which the
 * driver wants a {@code RECV_DONE} request, {@link Long#MAX_VALUE} if never. Ring says which part of the receive ring
 * is in use ({@link RingWord}). State is a set of the bits below. The driver never reads this memory.
 */
public final class DriverPageDescriptor {
    /** Value of the magic word. */
    public static final long MAGIC = 0x4741_5056_5244_4450L;

    /** Version of this layout. */
    public static final long VERSION = 2;

    /** Most socket slots. */
    public static final int MAX_SOCKETS = 0xFFFF;

    /** Offset of the magic word. */
    public static final int MAGIC_OFFSET = 0;

    /** Offset of the version. */
    public static final int VERSION_OFFSET = 8;

    /** Offset of the count of requests consumed. */
    public static final int REQUESTS_CONSUMED_OFFSET = 64;

    /** Offset of the event ring. */
    public static final int EVENTS_OFFSET = 128;

    /** Length of a socket's slot. */
    public static final int SLOT_LENGTH = 64;

    /** Offset in a slot of the bytes produced. */
    public static final int PRODUCED_OFFSET = 0;

    /** Offset in a slot of the completed sends. */
    public static final int SENDS_COMPLETED_OFFSET = 8;

    /** Offset in a slot of the wanted space. */
    public static final int SPACE_WANTED_OFFSET = 16;

    /** Offset in a slot of the state bits. */
    public static final int STATE_OFFSET = 24;

    /** Offset in a slot of the number of connections that wait for accept. */
    public static final int BACKLOG_OFFSET = 32;

    /** Offset in a slot of the errno value that goes with {@link #STATE_RESET}. */
    public static final int ERROR_OFFSET = 40;

    /** Offset in a slot of the {@link RingWord}. */
    public static final int RING_OFFSET = 48;

    /** State bit: connected. */
    public static final long STATE_CONNECTED = 1;

    /** State bit: no bytes follow those produced (the peer shut its output down, or closed). */
    public static final long STATE_END_OF_FILE = 2;

    /** State bit: the connection was reset; the error word has the reason. */
    public static final long STATE_RESET = 4;

    /** State bit: after CLOSE, the driver no longer uses this socket and its send ring; they may be reused. */
    public static final long STATE_CLOSED = 8;

    /** State bit: the peer wants urgent data in its stream; else they are not to be sent. */
    public static final long STATE_PEER_INLINE = 16;

    private DriverPageDescriptor() {}

    /**
     * Depth of the event ring. It has room for two events of each of a socket's three arm words, so that honest
     * processes never fill it: a thread that arms has emptied the ring after the previous arming, whose event may
     * still be posted.
     *
     * @param maxSockets number of slots
     * @return in entries, a power of two
     */
    public static int eventDepth(int maxSockets) {
        return Math.max(64, Integer.highestOneBit(maxSockets * 6 - 1) << 1);
    }

    /**
     * Offset of a socket's slot.
     *
     * @param maxSockets number of slots
     * @param socketId 0 to the number of sockets, exclusive
     * @return in bytes from the start of the page
     */
    public static long slot(int maxSockets, int socketId) {
        return EVENTS_OFFSET
                + (long) eventDepth(maxSockets) * CommandDescriptor.ENTRY_LENGTH
                + (long) socketId * SLOT_LENGTH;
    }

    /**
     * Length of the memory.
     *
     * @param maxSockets number of slots
     * @return in bytes
     */
    public static long length(int maxSockets) {
        return slot(maxSockets, maxSockets);
    }
}
