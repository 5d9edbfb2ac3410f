// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PipeDevice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Writes what lies elsewhere, such as in a receive ring, into the send ring of a connection. For any thread. */
final class BlockSender {
    private final PdConnection connection;
    private final PdBuffer block = new PdBuffer();

    BlockSender(PdConnection connection) {
        this.connection = connection;
    }

    /** Sends bytes, and waits for room. */
    synchronized void send(MemorySegment from, long offset, int length) throws IOException {
        connection.malloc(length, block, PipeDevice.FOREVER);
        MemorySegment.copy(from, offset, block.memory(), block.offset(), length);
        connection.send(block, length, PipeDevice.FOREVER);
        connection.free(block);
    }
}
