// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

/**
 * The parts of an address of a program. It has the number of a region in its high bits and an offset in it in its low
 * bits, so that no arithmetic of a program leads to memory that is not its own; 0 is no address.
 *
 * <pre>
 *   63             40 39                              0
 *  +-----------------+---------------------------------+
 *  | region plus one | offset                          |    regions: of the caller | constants | stack frames
 *  +-----------------+---------------------------------+
 * </pre>
 */
final class Addresses {
    private static final int OFFSET_BITS = 40;
    private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;

    /** An offset before a region is one behind the region before that: the other half of the offsets is a gap. */
    static final long MAX_LENGTH = 1L << (OFFSET_BITS - 1);

    /** Where the first region begins. */
    static final long FIRST = 1L << OFFSET_BITS;

    private Addresses() {}

    /** The address of the first byte of a region. */
    static long of(int region) {
        return (region + 1L) << OFFSET_BITS;
    }

    /** The number of a region, which there may not be; -1 or more. */
    static int region(long address) {
        return (int) (address >>> OFFSET_BITS) - 1;
    }

    /** The region whose begin is the nearest one, if the address is less than a gap before it. */
    static int nearest(long address) {
        return region(address + MAX_LENGTH);
    }

    static long offset(long address) {
        return address & OFFSET_MASK;
    }
}
