// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;

/** One side of some traffic. */
interface Job {
    /**
     * Runs the job, on a thread of its own: a client until it receives the stop command, a server until its clients
     * have left.
     *
     * @throws Exception if there is any error, such as a byte that has changed on the way
     */
    void run(Progress progress) throws Exception;

    /** Called after the stop command, in case the job sleeps. */
    default void wake() {}

    /** Opens more connections. */
    default void grow(int connections) throws IOException {
        throw new UnsupportedOperationException("this job has one connection");
    }

    /** A job to which clients connect. */
    interface Server extends Job {
        /** The address, in a form that the client's side of the same stack understands. */
        String address() throws IOException;
    }
}
