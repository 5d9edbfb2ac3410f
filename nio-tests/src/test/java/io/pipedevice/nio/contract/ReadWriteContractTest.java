// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Single buffers of every kind and size. */
class ReadWriteContractTest extends Contract {
    /** The kinds of buffers that a program may use. */
    enum Kind {
        HEAP,
        DIRECT,
        SLICED_HEAP,
        SLICED_DIRECT;

        /** A buffer with {@code size} bytes remaining, which are all of it or a part in its middle. */
        ByteBuffer allocate(int size) {
            boolean sliced = this == SLICED_HEAP || this == SLICED_DIRECT;
            int capacity = sliced ? size + 13 : size;
            ByteBuffer whole = this == HEAP || this == SLICED_HEAP
                    ? ByteBuffer.allocate(capacity)
                    : ByteBuffer.allocateDirect(capacity);
            return sliced ? whole.slice(7, size + 3).position(2).limit(2 + size) : whole;
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void bytesArriveInOrderWhateverTheirNumber(Kind kind) throws Exception {
        Random random = Bytes.seeded("bytesArriveInOrderWhateverTheirNumber");
        Connection connection = connect();
        for (int size = 1; size <= 1 << 20; size = size * 3 + random.nextInt(3)) {
            byte[] sent = Bytes.random(random, size);
            ByteBuffer out = kind.allocate(size).put(sent);
            out.position(out.position() - size);
            ByteBuffer in = kind.allocate(size);
            int start = in.position();
            Task<Object> writer = start(() -> {
                Bytes.send(connection.client(), out);
                return null;
            });
            int read = 0;
            while (in.hasRemaining()) {
                int n = connection.server().read(in);
                assertTrue(n > 0, "a blocking read waits for something");
                read += n;
                assertEquals(start + read, in.position());
            }
            writer.result();
            byte[] received = new byte[size];
            in.get(start, received);
            assertArrayEquals(sent, received);
            assertEquals(out.limit(), out.position());
        }
    }

    @Test
    void aBlockingWriteWritesEverything() throws Exception {
        Connection connection = connect();
        byte[] sent = Bytes.random(new Random(1), 3_000_000);
        Task<Integer> writer = start(() -> connection.client().write(ByteBuffer.wrap(sent)));
        Bytes.expect(connection.server(), sent);
        assertEquals(sent.length, writer.result());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBlockingWriteOfAVirtualThreadWritesWhatThereIsRoomFor(boolean gathers) throws Exception {
        Connection connection = connect();
        ByteBuffer source = ByteBuffer.allocate(64 << 20);
        Task<Number> writer = start(
                ThreadKind.VIRTUAL,
                () -> gathers
                        ? (Number) connection.client().write(new ByteBuffer[] {source})
                        : (Number) connection.client().write(source));
        long written = writer.result().longValue();
        assertTrue(written > 0 && written < source.capacity(), () -> written + " bytes");
        assertEquals(written, source.position());
        Task<Number> next = start(ThreadKind.VIRTUAL, () -> connection.client().write(source));
        // The write finds no room, and waits, before anything is read. Some transports then make room for a part of it.
        next.join(Duration.ofMillis(20));
        for (long read = 0; read < written; ) {
            read += connection.server().read(ByteBuffer.allocate(1 << 20));
        }
        assertTrue(next.result().intValue() > 0, "the next write waits for room");
    }

    @Test
    void onlyWhatRemainsIsWrittenAndOnlyThereIsRead() throws IOException {
        Connection connection = connect();
        ByteBuffer out = Bytes.ascii("0123456789").position(3).limit(7);
        assertEquals(4, connection.client().write(out));
        assertEquals(7, out.position());
        assertEquals(7, out.limit());
        ByteBuffer in = Bytes.ascii("..........").position(5).limit(9);
        assertEquals(4, connection.server().read(in));
        assertEquals(9, in.position());
        assertEquals(Bytes.ascii(".....3456."), in.clear());
    }

    @Test
    void aReadTakesNoMoreThanThereIs() throws IOException {
        Connection connection = connect();
        Bytes.send(connection.client(), "abc");
        ByteBuffer in = ByteBuffer.allocate(100);
        assertEquals(3, connection.server().read(in));
        assertEquals(3, in.position());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readOnlyBuffersAreWrittenButNotReadInto(boolean direct) throws IOException {
        Connection connection = connect();
        ByteBuffer bytes = direct ? ByteBuffer.allocateDirect(4) : ByteBuffer.allocate(4);
        ByteBuffer out = bytes.put(Bytes.ascii("only")).flip().asReadOnlyBuffer();
        assertEquals(4, connection.client().write(out));
        assertEquals(4, out.position());
        ByteBuffer in = bytes.clear().asReadOnlyBuffer();
        assertThrowsExactly(
                IllegalArgumentException.class, () -> connection.server().read(in));
        assertThrowsExactly(
                IllegalArgumentException.class, () -> connection.server().read(new ByteBuffer[] {in}));
        Bytes.expect(connection.server(), "only");
    }

    @Test
    void nothingIsWrittenOrReadWithNothingRemaining() throws IOException {
        Connection connection = connect();
        ByteBuffer empty = ByteBuffer.allocate(0);
        ByteBuffer full = ByteBuffer.allocate(8).position(8);
        for (boolean blocking : new boolean[] {true, false}) {
            connection.configureBlocking(blocking);
            assertEquals(0, connection.client().write(empty));
            assertEquals(0, connection.client().write(full));
            assertEquals(0, connection.server().read(empty));
            assertEquals(0, connection.server().read(full));
        }
        Bytes.send(connection.client(), "x");
        assertEquals(0, connection.server().read(empty));
        connection.server().configureBlocking(true);
        Bytes.expect(connection.server(), "x");
    }

    @Test
    void noBufferIsRefusedWithoutHarm() throws IOException {
        Connection connection = connect();
        SocketChannel client = connection.client();
        assertThrowsExactly(NullPointerException.class, () -> client.write((ByteBuffer) null));
        assertThrowsExactly(NullPointerException.class, () -> client.read((ByteBuffer) null));
        Bytes.send(client, "fine");
        Bytes.expect(connection.server(), "fine");
    }

    @Test
    void aNonBlockingReadGivesZeroUntilThereIsSomethingAndMinusOneAtTheEnd() throws IOException {
        Connection connection = connect();
        SocketChannel server = connection.server();
        server.configureBlocking(false);
        ByteBuffer in = ByteBuffer.allocate(10);
        assertEquals(0, server.read(in));
        Bytes.send(connection.client(), "hi");
        Readiness.awaitReadable(server);
        assertEquals(2, server.read(in));
        assertEquals(0, server.read(in));
        connection.client().close();
        Readiness.awaitReadable(server);
        assertEquals(-1, server.read(in));
        assertEquals(-1, server.read(in));
        assertEquals(2, in.position());
    }

    @Test
    void aNonBlockingWriteTakesWhatThereIsRoomForAndNoMore() throws IOException {
        Connection connection = connect();
        SocketChannel client = connection.client();
        client.configureBlocking(false);
        Random random = Bytes.seeded("aNonBlockingWriteTakesWhatThereIsRoomForAndNoMore");
        byte[] stream = Bytes.random(random, Flood.MORE_THAN_A_CONNECTION_TAKES);
        ByteBuffer out = ByteBuffer.wrap(stream);
        int received = 0;
        for (int round = 0; round < 3; round++) {
            Flood.fill(client, out);
            int sent = out.position();
            // Reading makes room again.
            Bytes.expect(connection.server(), Arrays.copyOfRange(stream, received, sent));
            assertTrue(sent > received);
            received = sent;
            Readiness.awaitWritable(client);
        }
    }

    @Test
    void bothDirectionsAreIndependent() throws Exception {
        Connection connection = connect();
        byte[] there = Bytes.random(new Random(2), 8 << 20);
        byte[] back = Bytes.random(new Random(3), 8 << 20);
        Task<byte[]> server = start(() -> Bytes.receive(connection.server(), there.length));
        Task<byte[]> client = start(() -> Bytes.receive(connection.client(), back.length));
        Task<Object> writer = start(() -> {
            Bytes.send(connection.server(), back);
            return null;
        });
        Bytes.send(connection.client(), there);
        writer.result();
        assertArrayEquals(there, server.result());
        assertArrayEquals(back, client.result());
    }

    @Test
    void bothEndsMayWriteBeforeEitherReads() throws Exception {
        Connection connection = connect();
        byte[] bytes = Bytes.random(new Random(4), 30_000);
        Bytes.send(connection.client(), bytes);
        Bytes.send(connection.server(), bytes);
        Bytes.expect(connection.client(), bytes);
        Bytes.expect(connection.server(), bytes);
    }

    /** Because a kernel socket takes megabytes, programs rely on some of that: they write buffered data in pieces. */
    @Test
    void bothEndsMayWriteMuchBeforeEitherReads() throws Exception {
        Connection connection = connect();
        for (int round = 0; round < 2; round++) {
            byte[] bytes = Bytes.random(new Random(5), 600_000);
            Task<Object> there = start(() -> sendInPieces(connection.client(), bytes));
            Task<Object> back = start(() -> sendInPieces(connection.server(), bytes));
            there.result();
            back.result();
            Bytes.expect(connection.client(), bytes);
            Bytes.expect(connection.server(), bytes);
        }
    }

    @Test
    void bothEndsMayWriteMuchBeforeEitherReadsInNonBlockingMode() throws Exception {
        Connection connection = connect();
        for (int round = 0; round < 2; round++) {
            byte[] bytes = Bytes.random(new Random(5), 600_000);
            connection.configureBlocking(false);
            Task<Object> there = start(() -> sendInPieces(connection.client(), bytes));
            Task<Object> back = start(() -> sendInPieces(connection.server(), bytes));
            there.result();
            back.result();
            connection.configureBlocking(true);
            Bytes.expect(connection.client(), bytes);
            Bytes.expect(connection.server(), bytes);
        }
    }

    private static Object sendInPieces(SocketChannel to, byte[] bytes) throws IOException {
        for (int at = 0; at < bytes.length; at += 8192) {
            ByteBuffer piece = ByteBuffer.wrap(bytes, at, Math.min(8192, bytes.length - at));
            while (piece.hasRemaining()) {
                if (to.write(piece) == 0) {
                    Readiness.awaitWritable(to);
                }
            }
        }
        return null;
    }

    /** The end of the stream and a reset are reported first. */
    @Test
    void aReadOnlyBufferIsRefusedOnlyIfTheChannelCouldRead() throws Exception {
        ByteBuffer in = ByteBuffer.allocate(4).asReadOnlyBuffer();
        ByteBuffer[] all = {ByteBuffer.allocate(1), in};
        for (boolean blocking : new boolean[] {true, false}) {
            Connection shut = connect();
            shut.configureBlocking(blocking);
            assertThrowsExactly(
                    IllegalArgumentException.class, () -> shut.client().read(all));
            shut.client().shutdownInput();
            assertEquals(-1, shut.client().read(in));
            assertEquals(-1, shut.client().read(all));
            assertEquals(-1, shut.client().read(new ByteBuffer[] {null}));
            Connection reset = connect();
            reset.server().setOption(StandardSocketOptions.SO_LINGER, 0);
            reset.server().close();
            assertThrowsExactly(SocketException.class, () -> reset.client().read(ByteBuffer.allocate(1)));
            reset.client().configureBlocking(blocking);
            assertThrowsExactly(SocketException.class, () -> reset.client().read(in));
            assertThrowsExactly(SocketException.class, () -> reset.client().read(all));
            assertThrowsExactly(SocketException.class, () -> reset.client().read(new ByteBuffer[0]));
        }
    }

    @Test
    void anInterruptIsReportedBeforeAReadOnlyBuffer() throws Exception {
        Connection connection = connect();
        Task<Object> reader = start(() -> {
            Thread.currentThread().interrupt();
            return connection.client().read(ByteBuffer.allocate(1).asReadOnlyBuffer());
        });
        reader.failure(ClosedByInterruptException.class);
        assertFalse(connection.client().isOpen());
    }
}
