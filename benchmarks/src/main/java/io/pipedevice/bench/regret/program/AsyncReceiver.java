// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;

/** Receives {@link Messages} by an asynchronous channel, and answers the last one of a turn. */
final class AsyncReceiver implements CompletionHandler<Integer, Boolean> {
    private final AsynchronousSocketChannel channel;

    /** These belong to the operation under way. */
    private final ByteBuffer message = ByteBuffer.allocateDirect(Messages.SIZE);

    private final ByteBuffer answer = ByteBuffer.allocateDirect(Long.BYTES);
    private long received;

    AsyncReceiver(AsynchronousSocketChannel channel) {
        this.channel = channel;
    }

    void begin() {
        channel.read(message.clear(), true, this);
    }

    /** @param wasRead whether it was a read that is complete, not a write */
    @Override
    public void completed(Integer count, Boolean wasRead) {
        if (count < 0) {
            close();
        } else if (!wasRead) {
            begin();
        } else if (message.hasRemaining()) {
            channel.read(message, true, this);
        } else {
            arrived();
        }
    }

    private void arrived() {
        received++;
        if (message.get(0) == Messages.LAST) {
            answer.putLong(0, received);
            received = 0;
            channel.write(answer.clear(), false, this);
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
