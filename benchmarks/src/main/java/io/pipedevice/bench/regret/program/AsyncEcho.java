// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;

/** Echoes on one asynchronous channel: what a read brings is written, and then the next read begins. */
final class AsyncEcho implements CompletionHandler<Integer, Boolean> {
    private final AsynchronousSocketChannel channel;

    /** Belongs to the operation under way. */
    private final ByteBuffer bytes;

    AsyncEcho(AsynchronousSocketChannel channel, int size) {
        this.channel = channel;
        bytes = ByteBuffer.allocateDirect(size);
    }

    void begin() {
        channel.read(bytes.clear(), true, this);
    }

    /** @param wasRead whether it was a read that is complete, not a write */
    @Override
    public void completed(Integer count, Boolean wasRead) {
        if (count < 0) {
            close();
        } else if (wasRead) {
            channel.write(bytes.flip(), false, this);
        } else if (bytes.hasRemaining()) {
            channel.write(bytes, false, this);
        } else {
            begin();
        }
    }

    @Override
    public void failed(Throwable cause, Boolean wasRead) {
        Failure.report(cause);
        close();
    }

    private void close() {
        try {
            channel.close();
        } catch (IOException e) {
            Failure.report(e);
        }
    }
}
