// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;

/** A way to communicate, as programs use it. */
interface Stack extends AutoCloseable {
    /** Listens; the job accepts. */
    Job.Server server(Kind kind, int size) throws IOException;

    /**
     * Connects.
     *
     * @param address of a server of the same kind and size
     * @param connections number to open
     * @param busy number of connections with traffic; for streams on several connections, those of all clients, which
     *     the server is told, or 0 if another client has told it
     */
    Job client(Kind kind, int size, String address, int connections, int busy) throws IOException;

    @Override
    default void close() throws IOException {}
}
