// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.Closeable;

/** What drives the traffic with a {@link Server}. One thread uses it. */
interface Client extends Closeable {
    /**
     * Drives the traffic for a while. Nothing is under way when it returns.
     *
     * @param nanos how long; what has begun before is finished
     * @return the number of messages, round trips, connections or calls
     * @throws Exception if anything fails, such as an answer that is not the expected one
     */
    long run(long nanos) throws Exception;
}
