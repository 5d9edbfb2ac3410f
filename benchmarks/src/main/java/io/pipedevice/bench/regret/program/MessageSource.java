// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SocketChannel;

/** A way to send a message of {@link Messages}. */
interface MessageSource extends Closeable {
    void send(SocketChannel channel, boolean last) throws IOException;

    @Override
    default void close() throws IOException {}
}
