// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

/** Which processor a thread runs on. Any thread; no system call. */
public final class Processor {
    private Processor() {}

    /**
     * The processor that the calling thread is on, which it may leave at any time; sched_getcpu(3).
     *
     * @return its number, 0 or more; negative if it is unknown
     */
    public static int current() {
        return SystemCalls.currentProcessor();
    }
}
