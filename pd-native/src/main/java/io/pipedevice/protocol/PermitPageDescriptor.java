// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import io.pipedevice.linux.Memory;

/**
 * Layout of the two memories by which a participant permits its driver to read sockets, and withdraws the permit. Each
 * side owns one, and maps the other's read-only.
 *
 * <pre>
 *   of the participant                         of the driver, one for each participant
 *    0 +-------------------------------+        0 +-------------------------------------------+
 *      | magic "PDPERMIT"              |          | magic "PDREADER"                          |
 *    8 | layout version                |        8 | layout version                            |
 *   64 +-------------------------------+       64 +-------------------------------------------+
 *      | PERMIT of each slot, 4 bytes: |          | READING, 4 bytes: the request whose       |
 *      | the request whose socket may  |          | socket is being read; 0 for none          |
 *      | be read; 0 for none           |          +-------------------------------------------+
 *      +-------------------------------+
 * </pre>
 *
 * <p>See {@link PermitWord}.
 */
public final class PermitPageDescriptor {
    /** Value of the magic word of a participant's memory. */
    public static final long MAGIC = 0x5449_4D52_4550_4450L;

    /** Value of the magic word of a driver's memory. */
    public static final long DRIVER_MAGIC = 0x5245_4441_4552_4450L;

    /** Version of both layouts. */
    public static final long VERSION = 1;

    /** Offset of the magic word. */
    public static final int MAGIC_OFFSET = 0;

    /** Offset of the version. */
    public static final int VERSION_OFFSET = 8;

    /** Offset of the driver's word. */
    public static final int READING_OFFSET = 64;

    /** Number of slots: more than the connections that a listener holds. */
    public static final int SLOTS = 4080;

    private static final int PERMITS_OFFSET = 64;

    private PermitPageDescriptor() {}

    /**
     * Offset of a slot's word.
     *
     * @param slot 0 to {@link #SLOTS}, exclusive
     * @return in bytes
     */
    public static long permit(int slot) {
        return PERMITS_OFFSET + (long) slot * Integer.BYTES;
    }

    /**
     * Length of a participant's memory.
     *
     * @return in bytes, whole pages
     */
    public static long length() {
        return Memory.wholePages(permit(SLOTS));
    }

    /**
     * Length of a driver's memory.
     *
     * @return in bytes, whole pages
     */
    public static long driverLength() {
        return Memory.pageSize();
    }
}
