// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;

/** One side of some traffic. */
interface Job {
    /**
     * Does everything, on a thread of its own; a client until it is told to stop, a server until its clients have left.
     *
     * @throws Exception if anything is not as it should be, such as a byte that arrived changed
     */
    void run(Progress progress) throws Exception;

    /** Called after the job was told to stop, in case that it sleeps. */
    default void wake() {}

    /** Opens more connections. */
    default void grow(int connections) throws IOException {
        throw new UnsupportedOperationException("this job has one connection");
    }

    /** A job that others connect to. */
    interface Server extends Job {
        /** Where, in a form that the client's side of the same stack understands. */
        String address() throws IOException;
    }
}
