// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

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
 *  384 +-----------------------------------------------------------+
 *      | connections on the kernel, a word for each KernelReason   |
 * 1024 +-----------------------------------------------------------+
 *      | bytes sent on rings: parts to add up, a cache line each   |
 * 2048 +-----------------------------------------------------------+
 *      | bytes received on rings: parts, likewise                  |
 * 3072 +-----------------------------------------------------------+
 * </pre>
 *
 * <p>Counters only grow.
 */
final class StatPageDescriptor {
    /** The memory file's name. */
    static final String NAME = "pipedevice-stat";

    static final long MAGIC = 0x544E_434D_564A_4450L;
    static final long VERSION = 1;

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

    private static final int REASONS_OFFSET = 384;

    /** Words for reasons, more than there are reasons today. */
    static final int REASONS = 80;

    private static final int SENT_OFFSET = 1024;
    private static final int RECEIVED_OFFSET = 2048;

    /** Parts of a sum that many threads add to; a power of two. */
    static final int PARTS = 16;

    private static final int PART_LENGTH = 64;

    /** Length of what is written, in bytes. */
    static final int LENGTH = 3072;

    private StatPageDescriptor() {}

    /** Where a reason is counted, by its number. */
    static int reasonOffset(int reason) {
        return REASONS_OFFSET + reason * Long.BYTES;
    }

    /** Where a part of the bytes sent is counted, 0 to {@link #PARTS} - 1. */
    static int sentOffset(int part) {
        return SENT_OFFSET + part * PART_LENGTH;
    }

    /** Where a part of the bytes received is counted, 0 to {@link #PARTS} - 1. */
    static int receivedOffset(int part) {
        return RECEIVED_OFFSET + part * PART_LENGTH;
    }
}
