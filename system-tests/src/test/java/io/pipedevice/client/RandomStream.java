// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.zip.CRC32C;

/**
 * Sends and receives a stream in random pieces, and uses all features: blocks of any size, posted in parts, freed late
 * and in any order; data received in parts and released in other parts.
 */
final class RandomStream {
    private RandomStream() {}

    /** Sends {@code bytes} bytes; returns their checksum. */
    static long send(PdConnection socket, long seed, long bytes, int largestBlock) throws PdException {
        Random random = new Random(seed);
        CRC32C checksum = new CRC32C();
        ArrayDeque<PdBuffer> held = new ArrayDeque<>();
        byte[] data = new byte[largestBlock];
        long left = bytes;
        while (left > 0) {
            int size = (int) Math.min(left, 1 + random.nextInt(random.nextInt(8) == 0 ? largestBlock : 300));
            PdBuffer buffer = new PdBuffer();
            while (!socket.malloc(size, buffer)) {
                if (held.isEmpty()) {
                    if (!socket.malloc(size, buffer, Attached.PATIENCE_NS)) {
                        throw new AssertionError("no room for " + size + " bytes in 5 seconds");
                    }
                    break;
                }
                socket.free(random.nextBoolean() ? held.pollFirst() : held.pollLast());
            }
            random.nextBytes(data);
            checksum.update(data, 0, size);
            buffer.copyFrom(0, data, 0, size);
            post(socket, buffer, size, random);
            held.addLast(buffer);
            left -= size;
        }
        while (!held.isEmpty()) {
            socket.free(held.pollLast());
        }
        return checksum.getValue();
    }

    private static void post(PdConnection socket, PdBuffer buffer, int size, Random random) throws PdException {
        int offset = 0;
        while (offset < size) {
            int part = random.nextInt(4) == 0 ? 1 + random.nextInt(size - offset) : size - offset;
            int sent = socket.send(buffer, offset, part, Attached.PATIENCE_NS);
            if (sent == PdSocket.WOULD_BLOCK) {
                throw new AssertionError("no post in 5 seconds");
            }
            offset += sent;
        }
    }

    /** Receives to the end of the stream; returns the checksum. */
    static long receive(PdConnection socket, long seed) throws PdException {
        Random random = new Random(seed);
        CRC32C checksum = new CRC32C();
        byte[] copy = new byte[1 << 16];
        PdBuffer buffer = new PdBuffer();
        int unreleased = 0;
        while (true) {
            int length = socket.recv(1 + random.nextInt(random.nextInt(4) == 0 ? copy.length : 500), buffer);
            if (length == 0) {
                // Unreleased data must not block the sender, unless they fill the ring.
                socket.recvDone(unreleased);
                unreleased = 0;
                length = socket.recv(copy.length, buffer, Attached.PATIENCE_NS);
                if (length == 0) {
                    throw new AssertionError("nothing for 5 seconds");
                }
            }
            if (length == PdSocket.END_OF_STREAM) {
                return checksum.getValue();
            }
            MemorySegment.copy(buffer.memory(), ValueLayout.JAVA_BYTE, buffer.offset(), copy, 0, length);
            checksum.update(copy, 0, length);
            unreleased += length;
            int released = random.nextInt(unreleased + 1);
            socket.recvDone(released);
            unreleased -= released;
        }
    }
}
