// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.MemoryLimit;
import java.util.concurrent.TimeUnit;

/** The defaults of a driver's options that depend on the machine. Stateless. */
final class MachineDefaults {
    private static final long LEAST_MEMORY = 64L << 20;
    private static final int LANES = 4;

    /** About twice the cost of a wake-up: within it a process takes a long message out, and answers. */
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private MachineDefaults() {}

    /** Half of the memory that this process may have, in bytes. */
    static long memory() {
        return Math.max(MemoryLimit.ofProcess() / 2, LEAST_MEMORY);
    }

    /** One lane for each processor, up to four. */
    static long lanes() {
        return Math.min(LANES, Runtime.getRuntime().availableProcessors());
    }

    /** The time of a spin in nanoseconds. With one processor no work can arrive while the driver spins. */
    static long spinNs() {
        return Runtime.getRuntime().availableProcessors() == 1 ? 0 : SPIN_NS;
    }
}
