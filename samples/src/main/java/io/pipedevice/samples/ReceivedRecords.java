// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Records of one length that a connection receives, where they lie in the receive ring. A stream of bytes may be handed
 * out in pieces that end within a record: such a record is put together in memory of this object. Used by one thread.
 */
final class ReceivedRecords {
    private final PdConnection connection;
    private final PdBuffer buffer = new PdBuffer();

    /** The length of a record. */
    private final int length;

    private final MemorySegment divided;

    /** How many bytes of a divided record have come. */
    private int begun;

    private MemorySegment memory;
    private long offset;

    /** Bytes of the ring to give back. */
    private int held;

    ReceivedRecords(PdConnection connection, int length) {
        this.connection = connection;
        this.length = length;
        this.divided = Arena.ofAuto().allocate(length, Long.BYTES);
    }

    /**
     * Waits for records. Those of the call before must be released.
     *
     * @param most bytes, at least those of a record
     * @return their length in bytes, from one record to {@code most}; they are at {@link #offset} of {@link #memory}. 0
     *     if the other end has ended after a whole record
     */
    int await(int most) throws IOException {
        while (true) {
            int count = connection.recv(begun > 0 ? length - begun : most, buffer, PipeDevice.FOREVER);
            if (count == PdSocket.END_OF_STREAM) {
                if (begun > 0) {
                    throw new EOFException("the other end has ended within a record");
                }
                return 0;
            }
            int rest = begun > 0 ? count : count % length;
            MemorySegment.copy(buffer.memory(), buffer.offset() + count - rest, divided, begun, rest);
            begun += rest;
            held = count;
            if (rest < count) {
                memory = buffer.memory();
                offset = buffer.offset();
                return count - rest;
            }
            if (begun == length) {
                begun = 0;
                memory = divided;
                offset = 0;
                return length;
            }
            release();
        }
    }

    MemorySegment memory() {
        return memory;
    }

    long offset() {
        return offset;
    }

    /** One of the records, by the offset at which it begins among them. */
    ByteBuffer record(int from) {
        return memory.asSlice(offset + from, length).asByteBuffer();
    }

    /** Gives the space of the records back. */
    void release() throws IOException {
        connection.recvDone(held);
        held = 0;
    }
}
