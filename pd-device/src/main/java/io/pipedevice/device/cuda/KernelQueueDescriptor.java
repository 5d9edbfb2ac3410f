// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

/**
 * Layout of the memory that a lane's kernel shares with the driver. It is memory of the host, because what the GPU's
 * memory contains, the processor can only see through CUDA.
 *
 * <pre>
 *          0 +-------------------------------------------------------------+
 *            | stop: the launch that is to end, written by the driver      |
 *        128 +-------------------------------------------------------------+
 *            | ended: the last launch that ended, written by the kernel    |
 *        256 +-------------------------------------------------------------+
 *            | depth entries of 32 bytes, written by the driver:           |
 *            |   63                                         16 15        0 |
 *            |   +--------------------------------------------+----------+ |
 *            | 0 | address of the source                      | stamp    | |
 *            | 8 | address of the destination                 | stamp    | |
 *            |16 | length in bytes                            | stamp    | |
 *            |24 | unused                                     |          | |
 *            |   +--------------------------------------------+----------+ |
 *        end +-------------------------------------------------------------+
 *            | depth words of 8 bytes, written by the kernel:              |
 *            |   position + 1 of the copy that is finished                 |
 *            +-------------------------------------------------------------+
 * </pre>
 *
 * <p>The copy at a position, counted from 0, has the slot of that number modulo the depth. Its stamp is the number of
 * the lap, counted from 1, modulo 65536: an entry is there when each of its words has the stamp, so that one read
 * across the bus is enough. A word of the second array tells of a finished copy in the same way. User addresses have 47
 * bits.
 */
final class KernelQueueDescriptor {
    static final int STOP_OFFSET = 0;
    static final int ENDED_OFFSET = 128;
    static final int ENTRIES_OFFSET = 256;
    static final int ENTRY_LENGTH = 32;
    static final int SOURCE_OFFSET = 0;
    static final int DESTINATION_OFFSET = 8;
    static final int LENGTH_OFFSET = 16;
    static final int DONE_LENGTH = 8;

    private static final int STAMP_BITS = 16;
    private static final long STAMP_MASK = (1L << STAMP_BITS) - 1;

    private KernelQueueDescriptor() {}

    static long doneOffset(int depth) {
        return ENTRIES_OFFSET + (long) depth * ENTRY_LENGTH;
    }

    static long length(int depth) {
        return doneOffset(depth) + (long) depth * DONE_LENGTH;
    }

    /** The stamp of a position, where the depth is 2 to the power of {@code shift}. */
    static long stamp(long position, int shift) {
        return (position >>> shift) + 1 & STAMP_MASK;
    }

    /** A word of an entry. */
    static long word(long value, long stamp) {
        return value << STAMP_BITS | stamp;
    }
}
