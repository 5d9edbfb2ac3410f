// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers that are mapped from a file that was truncated since. */
class MemoryFaultContractTest extends Contract {
    private static final int PAGE = 4096;
    private static final int SIZE = 4 * PAGE;

    /** Enough for the code to be compiled. */
    private static final int ROUNDS = 12_000;

    /** Each round waits for the driver, which on a busy machine takes milliseconds. */
    private static final int ROUNDS_WITH_DRIVER = 1_000;

    @TempDir
    private Path dir;

    /** A buffer of which only a first part has memory. */
    private MappedByteBuffer mapped(int left) throws IOException {
        Path file = dir.resolve("file" + System.nanoTime());
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(SIZE));
            MappedByteBuffer buffer = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
            channel.truncate(left);
            return buffer;
        }
    }

    private static void isBad(Executable call) {
        assertEquals("Bad address", assertThrowsExactly(IOException.class, call).getMessage());
    }

    private static void awaitArrival(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        Readiness.awaitReadable(channel);
        channel.configureBlocking(true);
    }

    private static void works(Connection connection) throws IOException {
        Bytes.send(connection.client(), "there");
        Bytes.expect(connection.server(), "there");
        Bytes.send(connection.server(), "back");
        Bytes.expect(connection.client(), "back");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWriteFailsAndTheChannelGoesOn(boolean blocking) throws Exception {
        Connection connection = connect();
        SocketChannel client = connection.client();
        client.configureBlocking(blocking);
        MappedByteBuffer gone = mapped(0);
        for (int i = 0; i < 3; i++) {
            isBad(() -> client.write(gone));
            isBad(() -> client.write(new ByteBuffer[] {gone, gone}));
            isBad(() -> client.write(gone.slice(PAGE - 1, 100)));
            assertEquals(0, gone.position());
        }
        client.configureBlocking(true);
        works(connection);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReadFailsAndLosesNothing(boolean blocking) throws Exception {
        Connection connection = connect();
        SocketChannel client = connection.client();
        Bytes.send(connection.server(), "kept");
        awaitArrival(client);
        client.configureBlocking(blocking);
        MappedByteBuffer gone = mapped(0);
        for (int i = 0; i < 3; i++) {
            isBad(() -> client.read(gone));
            isBad(() -> client.read(new ByteBuffer[] {gone, gone}));
            assertEquals(0, gone.position());
        }
        client.configureBlocking(true);
        Bytes.expect(client, "kept");
        works(connection);
    }

    @Test
    void bytesBeforeTheFaultMayBeWritten() throws Exception {
        Connection connection = connect();
        MappedByteBuffer half = mapped(PAGE);
        int written;
        try {
            written = connection.client().write(half);
        } catch (IOException e) {
            assertEquals("Bad address", e.getMessage());
            written = 0;
        }
        assertTrue(written <= PAGE, written + " bytes");
        assertEquals(written, half.position());
        ByteBuffer good = ByteBuffer.allocateDirect(100);
        long more = 0;
        try {
            more = connection.client().write(new ByteBuffer[] {good, half});
        } catch (IOException e) {
            assertEquals("Bad address", e.getMessage());
        }
        assertEquals(more, good.position() + half.position() - written);
        connection.client().shutdownOutput();
        assertEquals(written + more, Bytes.receiveAll(connection.server()).length);
    }

    @Test
    void aScatteringReadFillsTheBuffersBeforeTheFault() throws Exception {
        Connection connection = connect();
        SocketChannel client = connection.client();
        Bytes.send(connection.server(), "firstkept");
        awaitArrival(client);
        ByteBuffer good = ByteBuffer.allocateDirect(5);
        MappedByteBuffer gone = mapped(0);
        long read = 0;
        try {
            read = client.read(new ByteBuffer[] {good, gone});
        } catch (IOException e) {
            assertEquals("Bad address", e.getMessage());
        }
        assertEquals(good.position() + gone.position(), read);
        assertEquals(0, gone.position());
        Bytes.expect(client, read == 0 ? "firstkept" : "kept");
        works(connection);
    }

    /** Compiled code finds the fault at a later place than interpreted code. */
    @Test
    @Timeout(240)
    void compiledCodeFailsInTheSameWay() throws Exception {
        Connection connection = connect();
        SocketChannel client = connection.client();
        client.configureBlocking(false);
        SocketChannel server = connection.server();
        MappedByteBuffer gone = mapped(0);
        MappedByteBuffer there = mapped(SIZE);
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        int rounds = pairing.hasOwnDriver() ? ROUNDS_WITH_DRIVER : ROUNDS;
        for (int i = 0; i < rounds; i++) {
            MappedByteBuffer source = i % 3 == 0 ? gone : there;
            source.limit(1 + i % 64).position(0);
            int written = tryWrite(client, source);
            assertEquals(source.position(), written, "in round " + i);
            assertEquals(i % 3 != 0, written > 0, "in round " + i);
            there.clear().limit(Math.max(written, 1));
            if (written > 0) {
                if (i % 5 == 0) {
                    isBad(() -> server.read(gone.clear()));
                }
                assertEquals(written, server.read(there));
            }
        }
        client.configureBlocking(true);
        assertEquals(1, client.write(one));
        works(new Connection(client, skipOne(server)));
    }

    private static SocketChannel skipOne(SocketChannel channel) throws IOException {
        assertEquals(1, channel.read(ByteBuffer.allocate(1)));
        return channel;
    }

    private static int tryWrite(SocketChannel channel, ByteBuffer source) throws IOException {
        try {
            return channel.write(source);
        } catch (IOException e) {
            assertEquals("Bad address", e.getMessage());
            return 0;
        }
    }
}
