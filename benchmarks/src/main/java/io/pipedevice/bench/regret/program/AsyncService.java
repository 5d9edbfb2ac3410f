// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;

/** The server's end of an asynchronous channel. The attachment says whether it was a read that is complete. */
abstract class AsyncService implements CompletionHandler<Integer, Boolean> {
    final AsynchronousSocketChannel channel;

    AsyncService(AsynchronousSocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public final void failed(Throwable cause, Boolean wasRead) {
        Failure.report(cause);
        close();
    }

    final void close() {
        try {
            channel.close();
        } catch (IOException e) {
            Failure.report(e);
        }
    }
}
