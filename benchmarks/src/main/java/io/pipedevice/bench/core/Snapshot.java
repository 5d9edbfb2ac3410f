// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import io.pipedevice.bench.WorkerProcess;
import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;

/**
 * The state of a process at one moment.
 *
 * @param bytes of payload that it moved
 * @param nanos of its own clock, which all processes of a host share
 * @param allocated bytes of heap that its data path allocated
 * @param cpuSeconds that it used
 */
record Snapshot(long bytes, long nanos, long allocated, double cpuSeconds) {
    /** Asks a {@link Worker} for its traffic so far. */
    static Snapshot of(WorkerProcess worker) throws IOException, InterruptedException {
        double cpuSeconds = ProcessFacts.cpuSeconds(worker.pid());
        String[] words = worker.ask("snapshot", "snapshot");
        return new Snapshot(Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]), cpuSeconds);
    }
}
