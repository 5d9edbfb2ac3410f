// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several buffers in one call. */
class ScatterGatherContractTest extends Contract {
    @Test
    void mixedBuffersAreGatheredAndScattered() throws IOException {
        Connection connection = connect();
        ByteBuffer direct =
                ByteBuffer.allocateDirect(5).put(Bytes.ascii("-two-")).flip();
        ByteBuffer[] out = {
            Bytes.ascii("one"),
            ByteBuffer.allocate(0),
            direct,
            Bytes.ascii("xthreex").slice(1, 5).asReadOnlyBuffer(),
            ByteBuffer.allocate(4).position(4)
        };
        assertEquals(13, connection.client().write(out));
        for (ByteBuffer buffer : out) {
            assertEquals(0, buffer.remaining());
        }
        ByteBuffer[] in = {
            ByteBuffer.allocateDirect(4),
            ByteBuffer.allocate(0),
            ByteBuffer.allocate(6).slice(1, 5),
            ByteBuffer.allocate(10)
        };
        assertEquals(13, connection.server().read(in));
        assertEquals(Bytes.ascii("one-"), in[0].flip());
        assertEquals(Bytes.ascii("two-t"), in[2].flip());
        assertEquals(Bytes.ascii("hree"), in[3].flip());
    }

    @Test
    void aReadThatEndsInTheMiddleOfABufferLeavesTheRest() throws IOException {
        Connection connection = connect();
        Bytes.send(connection.client(), "12345");
        ByteBuffer[] in = {ByteBuffer.allocate(2), ByteBuffer.allocate(5), ByteBuffer.allocate(5)};
        assertEquals(5, connection.server().read(in));
        assertEquals(0, in[0].remaining());
        assertEquals(3, in[1].position());
        assertEquals(0, in[2].position());
    }

    @Test
    void onlyTheBuffersOfTheRangeAreTouched() throws IOException {
        Connection connection = connect();
        ByteBuffer[] out = {Bytes.ascii("a"), Bytes.ascii("b"), Bytes.ascii("c"), Bytes.ascii("d")};
        assertEquals(2, connection.client().write(out, 1, 2));
        assertEquals(1, out[0].remaining());
        assertEquals(1, out[3].remaining());
        ByteBuffer[] in = {ByteBuffer.allocate(1), ByteBuffer.allocate(1), ByteBuffer.allocate(1)};
        assertEquals(2, connection.server().read(in, 1, 2));
        assertEquals(0, in[0].position());
        assertEquals(Bytes.ascii("b"), in[1].flip());
        assertEquals(Bytes.ascii("c"), in[2].flip());
    }

    @Test
    void rangesOutsideTheArrayAreRefused() throws IOException {
        Connection connection = connect();
        SocketChannel client = connection.client();
        ByteBuffer[] two = {Bytes.ascii("a"), Bytes.ascii("b")};
        int[][] wrong = {{-1, 1}, {0, -1}, {0, 3}, {1, 2}, {3, 0}, {1, Integer.MAX_VALUE}};
        for (int[] range : wrong) {
            String which = Arrays.toString(range);
            assertThrowsExactly(IndexOutOfBoundsException.class, () -> client.write(two, range[0], range[1]), which);
            assertThrowsExactly(IndexOutOfBoundsException.class, () -> client.read(two, range[0], range[1]), which);
        }
        assertThrowsExactly(NullPointerException.class, () -> client.write((ByteBuffer[]) null));
        assertThrowsExactly(NullPointerException.class, () -> client.read((ByteBuffer[]) null));
        assertEquals(2, client.write(two));
        Bytes.expect(connection.server(), "ab");
    }

    @Test
    void withNothingRemainingNothingHappens() throws IOException {
        Connection connection = connect();
        ByteBuffer[] none = {};
        ByteBuffer[] empty = {ByteBuffer.allocate(0), ByteBuffer.allocate(3).position(3)};
        ByteBuffer[] some = {Bytes.ascii("x")};
        assertEquals(0, connection.client().write(none));
        assertEquals(0, connection.client().write(empty));
        assertEquals(0, connection.client().write(some, 1, 0));
        assertEquals(0, connection.server().read(none));
        assertEquals(0, connection.server().read(empty));
        connection.server().configureBlocking(false);
        assertEquals(0, connection.server().read(new ByteBuffer[] {ByteBuffer.allocate(1)}));
    }

    @Test
    void theEndOfTheStreamIsMinusOne() throws IOException {
        Connection connection = connect();
        Bytes.send(connection.client(), "last");
        connection.client().shutdownOutput();
        ByteBuffer[] in = {ByteBuffer.allocate(3), ByteBuffer.allocate(3)};
        assertEquals(4, connection.server().read(in));
        assertEquals(-1, connection.server().read(in));
        assertEquals(1, in[1].position());
    }

    @Test
    void thousandsOfBuffersArePossible() throws Exception {
        Connection connection = connect();
        Random random = Bytes.seeded("thousandsOfBuffersArePossible");
        ByteBuffer[] out = new ByteBuffer[5000];
        ByteBuffer expected = ByteBuffer.allocate(out.length * 200);
        for (int i = 0; i < out.length; i++) {
            byte[] bytes = Bytes.random(random, random.nextInt(200));
            expected.put(bytes);
            out[i] = i % 2 == 0 ? ByteBuffer.wrap(bytes) : direct(bytes);
        }
        byte[] sent = Arrays.copyOf(expected.array(), expected.position());
        Task<Object> writer = start(() -> {
            for (long done = 0; done < sent.length; ) {
                long n = connection.client().write(out);
                assertTrue(n > 0, "a blocking write writes something");
                done += n;
            }
            return null;
        });
        ByteBuffer[] in = new ByteBuffer[3000];
        Arrays.setAll(in, i -> ByteBuffer.allocate(1 + sent.length / in.length));
        for (long done = 0; done < sent.length; ) {
            long n = connection.server().read(in);
            assertTrue(n > 0, "a blocking read reads something");
            done += n;
        }
        writer.result();
        ByteBuffer received = ByteBuffer.allocate(sent.length);
        for (ByteBuffer buffer : in) {
            received.put(buffer.flip());
        }
        assertArrayEquals(sent, received.array());
    }

    @Test
    void aNonBlockingGatherMayEndInTheMiddle() throws IOException {
        Connection connection = connect();
        SocketChannel client = connection.client();
        client.configureBlocking(false);
        byte[] half = Bytes.random(new Random(5), 16 << 20);
        ByteBuffer[] out = {ByteBuffer.wrap(half), ByteBuffer.wrap(half)};
        long sent = client.write(out);
        assertTrue(sent > 0 && sent < 2L * half.length, () -> "took " + sent);
        assertEquals(sent, out[0].position() + (long) out[1].position());
        Bytes.expect(connection.server(), Arrays.copyOf(half, (int) sent));
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /**
     * A few bytes in many buffers are one write, as with writev(2), so that no reader gets a header without its body.
     */
    @Test
    void smallBuffersOfOneWriteAreReadByOneRead() throws Exception {
        int rounds = 40;
        int length = 1000;
        Connection connection = connect();
        Task<int[]> reader = start(() -> {
            ByteBuffer in = ByteBuffer.allocateDirect(2 * length);
            int[] first = new int[rounds];
            for (int i = 0; i < rounds; i++) {
                first[i] = connection.server().read(in.clear());
                while (in.position() < length) {
                    assertTrue(connection.server().read(in) > 0, "a blocking read reads something");
                }
                Bytes.send(connection.server(), "+");
            }
            return first;
        });
        for (int i = 0; i < rounds; i++) {
            ByteBuffer[] out = new ByteBuffer[length / 10];
            Arrays.setAll(out, part -> part % 2 == 0 ? Bytes.ascii("0123456789") : direct(new byte[10]));
            assertEquals(length, connection.client().write(out));
            Bytes.expect(connection.client(), "+");
        }
        int[] expected = new int[rounds];
        Arrays.fill(expected, length);
        assertArrayEquals(expected, reader.result());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBufferThatIsThereTwiceIsWrittenTwice(boolean blocking) throws IOException {
        Connection connection = connect();
        connection.client().configureBlocking(blocking);
        ByteBuffer line = Bytes.ascii("--");
        ByteBuffer outside = Bytes.ascii("outside");
        ByteBuffer[] out = {line, Bytes.ascii("body"), line, outside};
        assertEquals(8, connection.client().write(out, 0, 3));
        assertEquals(0, line.remaining());
        assertEquals(0, outside.position());
        Bytes.expect(connection.server(), "--body--");
    }

    @Test
    void aMissingBufferIsRefusedBeforeAnythingIsWritten() throws IOException {
        Connection connection = connect();
        ByteBuffer[] out = {Bytes.ascii("first"), null};
        assertThrowsExactly(
                NullPointerException.class, () -> connection.client().write(out));
        assertEquals(0, out[0].position());
        Bytes.send(connection.client(), "next");
        Bytes.expect(connection.server(), "next");
    }

    @Test
    void anInterruptedThreadDoesNotEvenWriteNothing() throws Exception {
        Connection connection = connect();
        Task<Object> writer = start(() -> {
            Thread.currentThread().interrupt();
            return connection.client().write(new ByteBuffer[0]);
        });
        writer.failure(ClosedByInterruptException.class);
        assertFalse(connection.client().isOpen());
    }

    @Test
    void anInterruptEndsAGatheringWriteBehindItsFirstBuffer() throws Exception {
        Connection connection = connect();
        ByteBuffer[] out = {Bytes.ascii("first"), ByteBuffer.allocate(16 << 20)};
        Task<Long> writer = start(() -> connection.client().write(out));
        writer.awaitBlockedIn("write");
        writer.interrupt();
        writer.failure(ClosedByInterruptException.class);
        assertEquals(0, out[0].remaining());
    }
}
