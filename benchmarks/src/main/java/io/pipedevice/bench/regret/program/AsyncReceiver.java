// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;

/** Receives {@link Messages} by an asynchronous channel, and answers the last one of a turn. */
final class AsyncReceiver extends AsyncService {
    /** These belong to the operation under way. */
    private final ByteBuffer message = ByteBuffer.allocateDirect(Messages.SIZE);

    private final ByteBuffer answer = ByteBuffer.allocateDirect(Long.BYTES);
    private long received;

    AsyncReceiver(AsynchronousSocketChannel channel) {
        super(channel);
    }

    void begin() {
        channel.read(message.clear(), true, this);
    }

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
}
