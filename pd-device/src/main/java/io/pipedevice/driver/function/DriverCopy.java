// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import java.lang.foreign.MemorySegment;

/** Copies messages between memory of the driver and memory of processes. */
final class DriverCopy {
    private DriverCopy() {}

    /** Copies; returns false if a page could not be read back from a swap device. */
    static boolean copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long length) {
        try {
            MemorySegment.copy(from, fromOffset, to, toOffset, length);
            return true;
        } catch (InternalError e) {
            // The JVM reports a SIGBUS in this way.
            return false;
        }
    }
}
