// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.MemoryLimit;

/** The memory that a driver takes by default. Stateless. */
final class HostMemory {
    private static final long LEAST = 64L << 20;

    private HostMemory() {}

    /** Half of the memory that this process may have, in bytes. */
    static long half() {
        return Math.max(MemoryLimit.ofProcess() / 2, LEAST);
    }
}
