// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdNetwork;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.peer.PeerPlacement;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The protocol of both ends of Listing 1, as far as the listing does not define it: the stream is the number of payload
 * bytes, the payload, and its CRC32C. The numbers have 8 bytes each, little-endian.
 */
final class Transfer {
    /** Length of a number, in bytes. */
    static final int NUMBER_LENGTH = Long.BYTES;

    /** Longest piece of payload that the server requests at a time, in bytes. */
    static final int MAX_PIECE = 1 << 20;

    /** Description of the option --dir. */
    static final String DIRECTORY = "The driver's directory (default: no driver, the two processes are peers).";

    private Transfer() {}

    /** A network with a driver, or without one. */
    static PdNetwork network(Path directory) throws PdException {
        return directory == null ? new PeerPlacement() : PipeDevice.init(DriverDirectory.at(directory));
    }

    static void sendNumber(PdConnection socket, PdBuffer buffer, long number) throws IOException {
        socket.malloc(NUMBER_LENGTH, buffer, PipeDevice.FOREVER);
        for (int i = 0; i < NUMBER_LENGTH; i++) {
            buffer.memory().set(ValueLayout.JAVA_BYTE, buffer.offset() + i, (byte) (number >>> (8 * i)));
        }
        socket.send(buffer, NUMBER_LENGTH, PipeDevice.FOREVER);
        socket.free(buffer);
    }

    /** Receives a number byte by byte, because a stream does not guarantee that 8 bytes arrive together. */
    static long receiveNumber(PdConnection socket, PdBuffer buffer) throws IOException {
        long number = 0;
        for (int i = 0; i < NUMBER_LENGTH; i++) {
            receive(socket, 1, buffer);
            number |= (buffer.asByteBuffer().get(0) & 0xFFL) << (8 * i);
            socket.recvDone(1);
        }
        return number;
    }

    /** Receives the next bytes in place, at least one and at most {@code most}. */
    static int receive(PdConnection socket, long most, PdBuffer buffer) throws IOException {
        int length;
        do {
            length = socket.recv((int) Math.min(most, MAX_PIECE), buffer, PipeDevice.FOREVER);
        } while (length == 0);
        if (length == PdSocket.END_OF_STREAM) {
            throw new EOFException("the client ended the connection before it had sent everything");
        }
        return length;
    }

    static String summary(String program, long bytes, long nanos, long checksum) {
        return String.format(
                Locale.ROOT,
                "%s: %d bytes, %.3f s, %.2f GB/s, CRC32C %08x",
                program,
                bytes,
                nanos / 1e9,
                (double) bytes / Math.max(1, nanos),
                checksum);
    }
}
