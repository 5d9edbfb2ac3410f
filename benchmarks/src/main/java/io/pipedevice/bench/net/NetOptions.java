// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.List;

/**
 * The subject and the duration of the measurements.
 *
 * @param transports in turn in each run
 * @param rows of each transport that has them
 * @param runs each with new processes
 * @param warmUpMillis before each measurement
 * @param measureMillis of each measurement
 * @param few connections open beside the busy ones
 * @param many connections open beside the busy ones
 * @param processes clients with a connection each
 * @param idle connections whose memory and processor time are measured
 * @param idleMillis of the measurement of idle processor time
 * @param driver whether PipeDevice runs with a driver process
 * @param strace whether system calls are counted too
 * @param javaOptions more flags for all JVMs
 */
public record NetOptions(
        List<? extends NetTransport> transports,
        List<Row> rows,
        int runs,
        long warmUpMillis,
        long measureMillis,
        int few,
        int many,
        int processes,
        int idle,
        long idleMillis,
        boolean driver,
        boolean strace,
        List<String> javaOptions) {

    /**
     * What must be the same for figures of which one median is made.
     *
     * @return one line
     */
    public String settings() {
        return measureMillis + " ms after " + warmUpMillis + " ms of warm-up, idle connections: " + idle
                + ", JVM flags: " + (javaOptions.isEmpty() ? "none" : String.join(" ", javaOptions));
    }
}
