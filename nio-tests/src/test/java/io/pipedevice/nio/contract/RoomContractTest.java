// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Before its peer reads, a connection takes as many bytes as one of the kernel does, in writes of any size. */
final class RoomContractTest extends Contract {
    /**
     * More than what is exchanged first, and the largest buffers of the kernel together (tcp_rmem and tcp_wmem): on
     * busy processors it gives a receiver tens of megabytes.
     */
    private static final int MUCH = 64 << 20;

    /** The kernel's default for the largest buffer of a sender (tcp_wmem), which the size of rings follows. */
    private static final int LARGEST_BUFFER = 4 << 20;

    /** The window of a receiver that has not read. */
    private static final int WINDOW = 64 << 10;

    /**
     * What the kernel's settings promise. It may take a segment more, and give far larger buffers to a receiver that
     * has read fast, but no program can rely on that.
     */
    private static final int MOST_COMPARED = LARGEST_BUFFER + WINDOW;

    private static final ByteBuffer CONTENT = ByteBuffer.allocateDirect(MUCH)
            .put(Bytes.random(new Random(1), MUCH))
            .flip();

    private final ByteBuffer stream = CONTENT.duplicate();

    @BeforeEach
    void looksWhatTheKernelIsToldToTake() throws IOException {
        // Not readString, whose first read is one byte long: a second read of such a file returns the end.
        String[] buffers = Files.readAllLines(Path.of("/proc/sys/net/ipv4/tcp_wmem"))
                .getFirst()
                .strip()
                .split("\\s+", -1);
        assumeTrue(Integer.parseInt(buffers[2]) <= LARGEST_BUFFER, "the kernel takes more here than by default");
    }

    private static int fill(SocketChannel channel, ByteBuffer from, int piece) throws IOException {
        int before = from.position();
        channel.configureBlocking(false);
        do {
            from.limit(Math.min(from.capacity(), from.position() + piece));
            channel.write(from);
            assertTrue(from.position() < from.capacity(), "there is a bound to what a connection takes");
        } while (!from.hasRemaining());
        channel.configureBlocking(true);
        return from.position() - before;
    }

    private static void readOn(SocketChannel channel, ByteBuffer expected, int length) throws IOException {
        ByteBuffer read = ByteBuffer.allocateDirect(length);
        while (read.hasRemaining()) {
            assertTrue(channel.read(read) > 0);
        }
        assertEquals(expected.slice(expected.position() - length, length), read.flip());
    }

    private int takenByKernel(boolean afterMuch, int piece) throws Exception {
        ByteBuffer copy = CONTENT.duplicate();
        try (ServerSocketChannel listener =
                        pairing.kernelAtServer().openServerSocketChannel().bind(atServer(0));
                SocketChannel client = pairing.kernelAtClient().openSocketChannel()) {
            client.connect(listener.getLocalAddress());
            try (SocketChannel server = listener.accept()) {
                if (afterMuch) {
                    exchange(new Connection(client, server), copy);
                }
                return fill(client, copy, piece);
            }
        }
    }

    /** Moves data until the buffers have grown as they do for a stream. */
    private void exchange(Connection connection, ByteBuffer from) throws Exception {
        from.limit(from.position() + (16 << 20));
        Task<byte[]> reader = start(() -> Bytes.receive(connection.server(), 16 << 20));
        Bytes.send(connection.client(), from);
        reader.result();
    }

    private void assertTakesAsMuch(int taken, boolean afterMuch, int piece) throws Exception {
        int kernel = takenByKernel(afterMuch, piece);
        System.out.printf(
                "%s, %s, writes of %d: %d, the kernel %d%n",
                pairing, afterMuch ? "a stream that was read" : "new", piece, taken, kernel);
        // A driver's rings do not grow.
        if (pairing == Pairing.PIPEDEVICE || pairing == Pairing.PIPEDEVICE_INTRODUCED) {
            assertTrue(taken >= Math.min(kernel, MOST_COMPARED), taken + ", and the kernel " + kernel);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 1024, 16 << 10, 64 << 10, 1 << 20, 8 << 20})
    void aNewConnectionTakesWhatTheKernelTakes(int piece) throws Exception {
        Connection connection = connect();
        int taken = fill(connection.client(), stream, piece);
        assertTakesAsMuch(taken, false, piece);
        readOn(connection.server(), stream, taken);
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 64 << 10, 8 << 20})
    void aConnectionThatWasReadTakesWhatTheKernelTakes(int piece) throws Exception {
        Connection connection = connect();
        exchange(connection, stream);
        int taken = fill(connection.client(), stream, piece);
        assertTakesAsMuch(taken, true, piece);
        readOn(connection.server(), stream, taken);
    }

    /** The connection has room again after everything was read, even a while later. */
    @Test
    void thereIsAsMuchRoomAgain() throws Exception {
        Connection connection = connect();
        for (int i = 0; i < 3; i++) {
            int taken = fill(connection.client(), stream, 64 << 10);
            assertTakesAsMuch(taken, false, 64 << 10);
            readOn(connection.server(), stream, taken);
        }
    }

    @Test
    void aBlockingWriteOfTwoMegabytesReturnsBeforeItIsRead() throws Exception {
        assumeTrue(pairing != Pairing.PIPEDEVICE_DRIVER, "a driver's rings do not grow");
        Connection connection = connect();
        stream.limit(2 << 20);
        Bytes.send(connection.client(), stream);
        readOn(connection.server(), stream, 2 << 20);
    }
}
