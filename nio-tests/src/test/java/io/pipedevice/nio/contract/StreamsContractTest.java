// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.jdk.Jdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The JDK's classes on channels: streams, readers, and transfers from and to files. */
class StreamsContractTest extends Contract {
    private static final byte[] CONTENT = Bytes.random(new Random(6), 1_500_000);

    /** More than a connection takes before its peer reads. */
    private static final int MUCH = 8 << 20;

    private static final int ROUNDS = 10;

    @TempDir
    Path directory;

    @Test
    void aFileIsTransferredToAChannel() throws Exception {
        Connection connection = connect();
        Path file = Files.write(directory.resolve("from"), CONTENT);
        Task<byte[]> receiver = start(() -> Bytes.receiveAll(connection.server()));
        try (FileChannel from = FileChannel.open(file)) {
            long position = 1000;
            while (position < CONTENT.length) {
                long n = from.transferTo(position, CONTENT.length, connection.client());
                assertTrue(n > 0);
                position += n;
            }
            assertEquals(0, from.transferTo(CONTENT.length, 10, connection.client()), "beyond the file's end");
        }
        connection.client().shutdownOutput();
        assertArrayEquals(Arrays.copyOfRange(CONTENT, 1000, CONTENT.length), receiver.result());
    }

    @Test
    void aFileIsTransferredToANonBlockingChannelAsFarAsThereIsRoom() throws Exception {
        Connection connection = connect();
        Path file = Files.write(directory.resolve("from"), CONTENT);
        connection.client().configureBlocking(false);
        Task<byte[]> receiver = start(() -> Bytes.receive(connection.server(), CONTENT.length));
        try (FileChannel from = FileChannel.open(file)) {
            for (long position = 0; position < CONTENT.length; ) {
                long n = from.transferTo(position, CONTENT.length - position, connection.client());
                assertTrue(n >= 0);
                position += n;
                if (n == 0) {
                    Readiness.awaitWritable(connection.client());
                }
            }
        }
        assertArrayEquals(CONTENT, receiver.result());
    }

    @Test
    void aFileIsTransferredFromAChannel() throws Exception {
        Connection connection = connect();
        Path file = directory.resolve("to");
        Task<Object> sender = start(() -> {
            Bytes.send(connection.client(), CONTENT);
            connection.client().shutdownOutput();
            return null;
        });
        try (FileChannel to = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            long position = 0;
            for (long n = 1; n > 0; position += n) {
                n = to.transferFrom(connection.server(), position, 100_000);
            }
            assertEquals(CONTENT.length, position);
        }
        sender.result();
        assertArrayEquals(CONTENT, Files.readAllBytes(file));
    }

    @Test
    void streamsReadAndWrite() throws IOException {
        Connection connection = connect();
        OutputStream out = Channels.newOutputStream(connection.client());
        InputStream in = Channels.newInputStream(connection.server());
        out.write('h');
        out.write("xello!".getBytes(StandardCharsets.US_ASCII), 1, 5);
        assertEquals('h', in.read());
        assertEquals("ello!", new String(in.readNBytes(5), StandardCharsets.US_ASCII));
        assertEquals(0, in.read(new byte[0]));
        out.close();
        assertEquals(-1, in.read());
        assertEquals(-1, in.read(new byte[4]));
        in.close();
        assertTrue(!connection.client().isOpen() && !connection.server().isOpen(), "a stream closes its channel");
    }

    @Test
    void streamsRefuseToWorkInNonBlockingMode() throws IOException {
        Connection connection = connect();
        OutputStream out = Channels.newOutputStream(connection.client());
        InputStream in = Channels.newInputStream(connection.client());
        connection.client().configureBlocking(false);
        assertThrowsExactly(IllegalBlockingModeException.class, () -> out.write(1));
        assertThrowsExactly(IllegalBlockingModeException.class, in::read);
        connection.client().configureBlocking(true);
        out.write('y');
        Bytes.expect(connection.server(), "y");
    }

    @Test
    void aStreamIsWrittenWhileAnotherThreadReadsFromTheSameChannel() throws Exception {
        Connection connection = connect();
        InputStream in = Channels.newInputStream(connection.client());
        OutputStream out = Channels.newOutputStream(connection.client());
        Task<Integer> reader = start(() -> in.read());
        reader.awaitBlockedIn("read");
        Task<Object> writer = start(() -> {
            out.write('q');
            return null;
        });
        Bytes.expect(connection.server(), "q");
        Bytes.send(connection.server(), "a");
        assertEquals('a', reader.result());
        writer.result();
    }

    /** This holds although another thread continues the write when the first one would have to wait. */
    @Test
    @Timeout(240)
    void nothingComesBetweenTheBytesOfAStreamsWrite() throws Exception {
        assumeTrue(
                pairing.client().equals(Providers.JDK) || Jdk.FEATURE < 27,
                "the stream itself writes pieces of 128 KB");
        for (int round = 0; round < ROUNDS; round++) {
            Connection connection = connect();
            SocketChannel client = connection.client();
            OutputStream out = Channels.newOutputStream(client);
            Task<Object> before = start(() -> write(client, 'b', MUCH));
            before.awaitBlockedIn("write");
            Task<Object> writer = start(() -> {
                out.write(filled('s', MUCH));
                return null;
            });
            writer.awaitBlockedIn("write");
            Task<Object> after = start(() -> write(client, 'a', 1000));
            byte[] all = Bytes.receive(connection.server(), MUCH + MUCH + 1000);
            assertEquals(3, runs(all), "runs of the same byte, of three writes");
            before.result();
            writer.result();
            after.result();
        }
    }

    private static Object write(SocketChannel to, char content, int length) throws IOException {
        Bytes.send(to, filled(content, length));
        return null;
    }

    private static byte[] filled(char content, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) content);
        return bytes;
    }

    private static int runs(byte[] bytes) {
        int runs = 1;
        for (int i = 1; i < bytes.length; i++) {
            runs += bytes[i] == bytes[i - 1] ? 0 : 1;
        }
        return runs;
    }

    @Test
    void aStreamIsReadWhileAnotherThreadsWriteWaitsForItsTurn() throws Exception {
        Connection connection = connect();
        SocketChannel client = connection.client();
        InputStream in = Channels.newInputStream(client);
        OutputStream out = Channels.newOutputStream(client);
        Task<Object> before = start(() -> write(client, 'b', MUCH));
        before.awaitBlockedIn("write");
        Task<Object> writer = start(() -> {
            out.write('s');
            return null;
        });
        writer.awaitBlockedIn("write");
        Task<Integer> reader = start(() -> in.read());
        Bytes.send(connection.server(), "a");
        assertEquals('a', reader.result());
        assertEquals('s', Bytes.receive(connection.server(), MUCH + 1)[MUCH]);
        before.result();
        writer.result();
    }

    /** The read is not handed to another thread, which would take longer than the read itself. */
    @Test
    void aStreamReadsWhatIsThereOnTheCallingThread() throws Exception {
        Connection connection = connect();
        InputStream in = Channels.newInputStream(connection.client());
        Path file = directory.resolve("recording");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.VirtualThreadStart");
            recording.start();
            for (int i = 0; i < 10; i++) {
                Bytes.send(connection.server(), "some");
                Awaitility.await()
                        .until(() ->
                                connection.client().socket().getInputStream().available() == 4);
                assertEquals(4, in.read(new byte[5]));
            }
            recording.stop();
            recording.dump(file);
        }
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            assertNotEquals("pd-stream", event.getThread().getJavaName());
        }
    }

    @Test
    void readersAndWritersConvertText() throws IOException {
        Connection connection = connect();
        Writer writer = Channels.newWriter(connection.client(), StandardCharsets.UTF_8);
        BufferedReader reader = new BufferedReader(Channels.newReader(connection.server(), StandardCharsets.UTF_8));
        writer.write("grüße\nzwölf\n");
        writer.flush();
        assertEquals("grüße", reader.readLine());
        assertEquals("zwölf", reader.readLine());
        writer.close();
        assertNull(reader.readLine());
    }
}
