// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ByteChannel;

/**
 * The sockets of blocking programs. Any thread may call.
 *
 * @param <S> what listens
 * @param <C> a connection; its writes are complete when they return
 */
interface BlockingSockets<S extends Closeable, C extends ByteChannel> {
    /** More than the number of connections that clients make at a time, so that none waits, or leaves PipeDevice. */
    int BACKLOG = 8192;

    S listen() throws IOException;

    String address(S server) throws IOException;

    C accept(S server) throws IOException;

    C connect(String address) throws IOException;

    /** Sets TCP_NODELAY, if the family has it. */
    void noDelay(C connection) throws IOException;

    /** Of the buffers that a connection takes. */
    Memory memory();
}
