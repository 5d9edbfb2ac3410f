// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

/**
 * Layout of the page of counters that a JVM publishes, as a memory file with the name {@value #NAME}. Little-endian.
 *
 * <pre>
 *    0 +-----------------------------------------------------------+
 *      | magic "PDJVMCNT", written last                            |
 *    8 | layout version                                            |
 *   16 | process number, as the JVM sees it                        |
 *   24 | start time, milliseconds since 1970                       |
 *   32 | length of the program's name, bytes                       |
 *   40 | the program's name, UTF-8                                 |
 *  320 +-----------------------------------------------------------+
 *      | accelerated connections: as client                        |
 *  328 | accelerated connections: accepted                         |
 *  336 | accelerated connections: ended                            |
 *  344 | accelerated connections: reset, as peer broke the protocol|
 *  352 | clients refused that are other users'                     |
 *  360 | descriptors of peers that are being closed, a gauge       |
 *  368 | mappings of peers' memory, a gauge                        |
 *  376 | larger rings of peers that were refused                   |
 *  384 +-----------------------------------------------------------+
 *      | connections on the kernel, a word for each KernelReason   |
 *  960 +-----------------------------------------------------------+
 *      | writes on rings that were cut short for want of room      |
 *  968 | writes on rings that waited for room                      |
 *  976 | accelerated connections: those through a driver's device  |
 *  984 | bytes of rings of this process, a gauge                   |
 *  992 | bytes of rings that it may have, a gauge                  |
 * 1000 | rings that did not grow, because there were too many bytes|
 * 1024 +-----------------------------------------------------------+
 *      | bytes sent on rings: parts to add up, a cache line each   |
 * 2048 +-----------------------------------------------------------+
 *      | bytes received on rings: parts, likewise                  |
 * 3072 +-----------------------------------------------------------+
 *      | ends on the kernel: 64 entries, 32 bytes each             |
 * 5120 +-----------------------------------------------------------+
 *      | why PipeDevice is off: length in bytes, 0 if it works     |
 * 5128 | the text, UTF-8                                           |
 * 5384 +-----------------------------------------------------------+
 *      | Netty's classes that were switched: length in bytes       |
 * 5392 | their names, UTF-8, a line feed after each                |
 * 5896 +-----------------------------------------------------------+
 *
 * an end on the kernel: for clients the server's address and port, for servers the clients' address and the own port
 *    0 +-----------------------------------------------------------+
 *      | connections, written last; 0 in an entry that is unused   |
 *    8 | reason 1, client 1, address length 1, unused 1, port 2    |
 *   16 | address, 16 bytes                                         |
 *   32 +-----------------------------------------------------------+
 * </pre>
 *
 * <p>Counters only grow; gauges also fall. Entries are used in order; a connection that finds no free one is only in
 * the sums.
 */
final class StatPageDescriptor {
    /** The memory file's name. */
    static final String NAME = "pipedevice-stat";

    static final long MAGIC = 0x544E_434D_564A_4450L;
    static final long VERSION = 4;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int PID_OFFSET = 16;
    static final int START_OFFSET = 24;
    static final int NAME_LENGTH_OFFSET = 32;
    static final int NAME_OFFSET = 40;

    /** Longest name, in bytes. */
    static final int MAX_NAME = 256;

    static final int CLIENT_OFFSET = 320;
    static final int ACCEPTED_OFFSET = 328;
    static final int ENDED_OFFSET = 336;
    static final int VIOLATED_OFFSET = 344;
    static final int STRANGERS_OFFSET = 352;
    static final int CLOSING_OFFSET = 360;
    static final int MAPPED_OFFSET = 368;
    static final int RINGS_REFUSED_OFFSET = 376;

    private static final int REASONS_OFFSET = 384;

    /** Words for reasons, more than there are reasons today. */
    static final int REASONS = 72;

    /** After the reasons, which seldom change; this and the next five words have a cache line of their own. */
    static final int WRITES_CUT_OFFSET = 960;

    static final int WRITES_WAITED_OFFSET = 968;
    static final int DEVICE_OFFSET = 976;
    static final int RING_BYTES_OFFSET = 984;
    static final int RING_BUDGET_OFFSET = 992;
    static final int GROWTHS_REFUSED_OFFSET = 1000;
    private static final int SENT_OFFSET = 1024;
    private static final int RECEIVED_OFFSET = 2048;

    /** Parts of a sum that many threads add to; a power of two. */
    static final int PARTS = 16;

    private static final int PART_LENGTH = 64;

    private static final int ENDS_OFFSET = 3072;

    /** Entries for ends of connections on the kernel. */
    static final int ENDS = 64;

    private static final int END_LENGTH = 32;

    /** Offset in an entry: connections. */
    static final int END_COUNT = 0;

    /** Offset in an entry: reason, side, length of the address, and port. */
    static final int END_KIND = 8;

    /** Offset in an entry: the address. */
    static final int END_ADDRESS = 16;

    static final int WHY_OFF_LENGTH_OFFSET = 5120;
    static final int WHY_OFF_OFFSET = 5128;

    /** Longest reason why PipeDevice is off, in bytes. */
    static final int MAX_WHY_OFF = 256;

    static final int SWITCHED_LENGTH_OFFSET = 5384;
    static final int SWITCHED_OFFSET = 5392;

    /** Most bytes of the names of classes. */
    static final int MAX_SWITCHED = 504;

    /** Length of the page, in bytes. */
    static final int LENGTH = 5896;

    private StatPageDescriptor() {}

    /** Offset of the counter of a reason, by its number. */
    static int reasonOffset(int reason) {
        return REASONS_OFFSET + reason * Long.BYTES;
    }

    /** Offset of an entry, 0 to {@link #ENDS} - 1. */
    static int endOffset(int entry) {
        return ENDS_OFFSET + entry * END_LENGTH;
    }

    /** The word that identifies the connections of an entry, besides the address. */
    static long endKind(int reason, boolean client, int addressLength, int port) {
        return reason | (client ? 1L << 8 : 0) | (long) addressLength << 16 | (long) port << 32;
    }

    /** Offset of a part of the bytes sent, 0 to {@link #PARTS} - 1. */
    static int sentOffset(int part) {
        return SENT_OFFSET + part * PART_LENGTH;
    }

    /** Offset of a part of the bytes received, 0 to {@link #PARTS} - 1. */
    static int receivedOffset(int part) {
        return RECEIVED_OFFSET + part * PART_LENGTH;
    }
}
