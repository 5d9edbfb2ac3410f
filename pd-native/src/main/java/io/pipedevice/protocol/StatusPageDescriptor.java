// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import io.pipedevice.linux.Memory;

/**
 * Layout of the page that PD Driver owns and every attached process maps read-only.
 *
 * <pre>
 *    0 +-----------------------------------------------------------+
 *      | magic "PDSTATUS"                                          |
 *    8 | layout version                                            |
 *   64 +-----------------------------------------------------------+
 *      | sleep: odd while the driver sleeps or is about to; grows  |
 *      +-----------------------------------------------------------+
 * </pre>
 */
public final class StatusPageDescriptor {
    /** Value of the magic word. */
    public static final long MAGIC = 0x5355_5441_5453_4450L;

    /** Version of this layout. */
    public static final long VERSION = 1;

    /** Offset of the magic word. */
    public static final int MAGIC_OFFSET = 0;

    /** Offset of the version. */
    public static final int VERSION_OFFSET = 8;

    /** Offset of the sleep word, see {@link SleepWord}. */
    public static final int SLEEP_OFFSET = 64;

    private StatusPageDescriptor() {}

    /**
     * Length of the page.
     *
     * @return in bytes
     */
    public static long length() {
        return Memory.pageSize();
    }
}
