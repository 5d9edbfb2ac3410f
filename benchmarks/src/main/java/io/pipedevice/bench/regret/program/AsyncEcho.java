// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;

/** Echoes on one asynchronous channel: what a read brings is written, and then the next read begins. */
final class AsyncEcho extends AsyncService {
    /** Belongs to the operation under way. */
    private final ByteBuffer bytes;

    AsyncEcho(AsynchronousSocketChannel channel, int size) {
        super(channel);
        bytes = ByteBuffer.allocateDirect(size);
    }

    void begin() {
        channel.read(bytes.clear(), true, this);
    }

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
}
