// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import java.lang.management.ManagementFactory;

/** The heap of this process. */
public final class Heap {
    private Heap() {}

    /** Collects garbage, and returns what is used afterwards, in KB. */
    public static long usedKb() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 10;
    }
}
