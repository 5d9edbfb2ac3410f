// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import io.pipedevice.queue.CommandDescriptor;

/**
 * Layout of the memory that PD Lib's process owns and PD Driver maps read-only: the requests, and the process's words
 * for each of its sockets.
 *
 * <pre>
 *    0 +-------------------------------------------------------+
 *      | magic "PDLIBPAG"                                      |
 *    8 | layout version                                        |
 *   64 +-------------------------------------------------------+
 *      | events consumed (the driver's event ring)             |
 *  128 +-------------------------------------------------------+
 *      | request ring: depth entries of 32 bytes               |
 *      +-------------------------------------------------------+
 *      | one slot of 64 bytes for each socket id               |
 *      +-------------------------------------------------------+
 *
 *  slot:  0       8           16           24          32              40       64
 *        +-------+-----------+------------+-----------+---------------+---------+
 *        | con-  | reader's  | writer's   | epoll's   | writer wants  |    -    |
 *        | sumed | arm word  | arm word   | arm word  | completions   |         |
 *        +-------+-----------+------------+-----------+---------------+---------+
 * </pre>
 *
 * <p>Consumed is the count of bytes that pd_recv_done released since the socket was opened. An arm word
 * ({@link ArmWord}) announces a sleeping thread. The last word is the count of completed sends for which the sleeping
 * writer waits.
 */
public final class LibPageDescriptor {
    /** Value of the magic word. */
    public static final long MAGIC = 0x4741_5042_494C_4450L;

    /** Version of this layout. */
    public static final long VERSION = 1;

    /** Offset of the magic word. */
    public static final int MAGIC_OFFSET = 0;

    /** Offset of the version. */
    public static final int VERSION_OFFSET = 8;

    /** Offset of the count of events consumed. */
    public static final int EVENTS_CONSUMED_OFFSET = 64;

    /** Offset of the request ring. */
    public static final int REQUESTS_OFFSET = 128;

    /** Length of a socket's slot. */
    public static final int SLOT_LENGTH = 64;

    /** Offset in a slot of the bytes consumed. */
    public static final int CONSUMED_OFFSET = 0;

    /** Offset in a slot of the arm word of a thread blocked in recv or accept. */
    public static final int READ_ARM_OFFSET = 8;

    /** Offset in a slot of the arm word of a thread blocked in send or malloc. */
    public static final int WRITE_ARM_OFFSET = 16;

    /** Offset in a slot of the arm word of the epoll instance that watches the socket. */
    public static final int EPOLL_ARM_OFFSET = 24;

    /** Offset in a slot of the count of completed sends at which a writer is to be woken. */
    public static final int WRITE_WANTED_OFFSET = 32;

    private LibPageDescriptor() {}

    /**
     * Offset of a socket's slot.
     *
     * @param requestDepth depth of the request ring
     * @param socketId 0 to the number of sockets, exclusive
     * @return in bytes from the start of the page
     */
    public static long slot(int requestDepth, int socketId) {
        return REQUESTS_OFFSET + (long) requestDepth * CommandDescriptor.ENTRY_LENGTH + (long) socketId * SLOT_LENGTH;
    }

    /**
     * Length of the memory.
     *
     * @param requestDepth depth of the request ring
     * @param maxSockets number of slots
     * @return in bytes
     */
    public static long length(int requestDepth, int maxSockets) {
        return slot(requestDepth, maxSockets);
    }
}
