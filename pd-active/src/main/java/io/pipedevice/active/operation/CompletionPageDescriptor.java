// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

/**
 * Layout of the memory that PD Driver owns and a process maps read-only: the completions of its queue pairs.
 *
 * <pre>
 *    0 +------------------------------------------------------------+
 *      | magic "PDCOMPLE"                                           |
 *    8 | layout version                                             |
 *   64 +------------------------------------------------------------+
 *      | changes: grows when a region that the process has found    |
 *      | ends, or its rights to one may have changed                |
 *  128 +------------------------------------------------------------+
 *      | for each queue pair: completions, depth entries of 32      |
 *      | bytes ({@link CompletionDescriptor})                              |
 *      +------------------------------------------------------------+
 * </pre>
 */
public final class CompletionPageDescriptor {
    /** Value of the magic word. */
    public static final long MAGIC = 0x454C_504D_4F43_4450L;

    /** Version of this layout. */
    public static final long VERSION = 1;

    /** Offset of the version; the magic word comes first. */
    public static final int VERSION_OFFSET = 8;

    /** Offset of the count of changes. */
    public static final int CHANGES_OFFSET = 64;

    private static final int COMPLETIONS_OFFSET = 128;

    private CompletionPageDescriptor() {}

    /**
     * Offset of a queue pair's completions.
     *
     * @param depth of all queue pairs
     * @param queue number of the queue pair
     * @return in bytes from the start of the page
     */
    public static long completions(int depth, int queue) {
        return COMPLETIONS_OFFSET + queue * ((long) depth * CompletionDescriptor.LENGTH);
    }

    /**
     * Length of the memory.
     *
     * @param depth of all queue pairs
     * @param queues number of queue pairs
     * @return in bytes
     */
    public static long length(int depth, int queues) {
        return completions(depth, queues);
    }
}
