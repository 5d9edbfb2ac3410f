// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Floats of a connection, where they lie in the receive ring. A stream of bytes may be handed out in pieces that end
 * within a float: such a float is put together in four bytes of this object.
 */
final class ReceivedFloats {
    private final PdConnection connection;
    private final PdBuffer buffer = new PdBuffer();
    private final MemorySegment divided = MemorySegment.ofArray(new float[1]);

    /** How many bytes of a divided float have come. */
    private int begun;

    private MemorySegment memory;
    private long offset;

    /** Bytes of the ring to give back. */
    private int held;

    ReceivedFloats(PdConnection connection) {
        this.connection = connection;
    }

    /**
     * Waits for floats. Those of the call before must be released.
     *
     * @param most bytes, at least those of a float
     * @return their length in bytes, from one float to {@code most}; they are at {@link #offset} of {@link #memory}
     */
    int await(int most) throws IOException {
        while (true) {
            int length = receive(begun > 0 ? Float.BYTES - begun : most);
            int rest = begun > 0 ? length : length % Float.BYTES;
            MemorySegment.copy(buffer.memory(), buffer.offset() + length - rest, divided, begun, rest);
            begun += rest;
            held = length;
            if (rest < length) {
                memory = buffer.memory();
                offset = buffer.offset();
                return length - rest;
            }
            if (begun == Float.BYTES) {
                begun = 0;
                memory = divided;
                offset = 0;
                return Float.BYTES;
            }
            release();
        }
    }

    private int receive(int most) throws IOException {
        int length = connection.recv(most, buffer, PipeDevice.FOREVER);
        if (length == PdSocket.END_OF_STREAM) {
            throw new EOFException("the process before has ended");
        }
        return length;
    }

    MemorySegment memory() {
        return memory;
    }

    long offset() {
        return offset;
    }

    /** Gives the space of the floats back. */
    void release() throws IOException {
        connection.recvDone(held);
        held = 0;
    }
}
