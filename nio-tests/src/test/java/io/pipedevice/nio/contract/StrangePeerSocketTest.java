// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.nio.PipeDeviceSelectorProvider;
import io.pipedevice.peer.rendezvous.StrangeClient;
import io.pipedevice.program.ConnectingProgram;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads that are parked in a socket of java.net while its peer or its driver breaks the protocol, or dies: each of
 * them ends, and the program sees what it would see of a peer on TCP.
 */
@Timeout(60)
class StrangePeerSocketTest extends TidyTest {
    /** More than any transport buffers. */
    private static final byte[] TOO_MUCH = new byte[16 << 20];

    private static final NetSockets OWN = NetSockets.of(Providers.PIPEDEVICE, null);

    /** What a peer does while threads are parked. */
    enum Attack {
        WRITES_TOO_MUCH,
        READS_TOO_MUCH,
        OVERWRITES_ITS_WORDS,
        SENDS_NO_MESSAGE,
        HANGS_UP;

        void by(StrangeClient peer) throws IOException {
            switch (this) {
                case WRITES_TOO_MUCH -> peer.writeTooMuch();
                case READS_TOO_MUCH -> peer.readTooMuch();
                case OVERWRITES_ITS_WORDS -> peer.overwriteSlot();
                case SENDS_NO_MESSAGE -> peer.sendNonsense();
                case HANGS_UP -> peer.hangUp();
            }
        }
    }

    private ServerSocket listen(NetSockets sockets) throws IOException {
        ServerSocket server = closeLater(sockets.openServer());
        server.bind(new InetSocketAddress(Contract.LOOPBACK, 0));
        return server;
    }

    private Task<Integer> read(ThreadKind kind, Socket socket) {
        Task<Integer> reader = start(kind, () -> socket.getInputStream().read());
        reader.awaitBlockedIn("read");
        return reader;
    }

    /** As {@link #read}, beside a writer. One of the two reports a reset, and for the other the stream has ended. */
    private Task<Integer> readToEnd(ThreadKind kind, Socket socket) {
        Task<Integer> reader = start(kind, () -> {
            try {
                return socket.getInputStream().read();
            } catch (SocketException e) {
                assertEquals("Connection reset", e.getMessage());
                return -1;
            }
        });
        reader.awaitBlockedIn("read");
        return reader;
    }

    private Task<Object> write(ThreadKind kind, Socket socket) {
        Task<Object> writer = start(kind, () -> {
            socket.getOutputStream().write(TOO_MUCH);
            return null;
        });
        writer.awaitBlockedIn("write");
        return writer;
    }

    private static void isReset(Task<?> task) throws InterruptedException {
        String message = task.failure(SocketException.class).getMessage();
        assertTrue(message.equals("Broken pipe") || message.startsWith("Connection reset"), message);
    }

    private static void assertOver(Socket socket) {
        assertFalse(socket.isClosed());
        // To a peer that has closed, the first write succeeds.
        assertThrowsExactly(SocketException.class, () -> {
            socket.getOutputStream().write(1);
            socket.getOutputStream().write(1);
        });
    }

    /** An honest client of the same server. */
    private void assertServes(NetSockets sockets, ServerSocket server) throws Exception {
        Socket client = closeLater(sockets.open());
        client.connect(server.getLocalSocketAddress());
        Socket accepted = closeLater(server.accept());
        assertTrue(NetSockets.onRings(accepted));
        client.getOutputStream().write(3);
        assertEquals(3, accepted.getInputStream().read());
    }

    @ParameterizedTest
    @EnumSource(Attack.class)
    void aPeerThatBreaksTheProtocolEndsParkedReadersAndWriters(Attack attack) throws Exception {
        ServerSocket server = listen(OWN);
        for (ThreadKind kind : ThreadKind.values()) {
            StrangeClient peer = closeLater(StrangeClient.connect(server.getLocalPort()));
            Socket socket = closeLater(server.accept());
            Task<Integer> reader = readToEnd(kind, socket);
            Task<Object> writer = write(kind, socket);
            attack.by(peer);
            assertEquals(-1, reader.result());
            isReset(writer);
            assertOver(socket);
        }
        assertServes(OWN, server);
    }

    @ParameterizedTest
    @EnumSource(
            value = Attack.class,
            names = {"WRITES_TOO_MUCH", "OVERWRITES_ITS_WORDS", "SENDS_NO_MESSAGE"})
    void aPeerThatBreaksTheProtocolResetsTheConnectionOfAParkedReader(Attack attack) throws Exception {
        ServerSocket server = listen(OWN);
        for (ThreadKind kind : ThreadKind.values()) {
            StrangeClient peer = closeLater(StrangeClient.connect(server.getLocalPort()));
            Socket socket = closeLater(server.accept());
            Task<Integer> reader = read(kind, socket);
            attack.by(peer);
            assertEquals(
                    "Connection reset", reader.failure(SocketException.class).getMessage());
            assertOver(socket);
        }
        assertServes(OWN, server);
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void aPeerThatHangsUpIsTheEndOfTheStreamForAParkedReader(ThreadKind kind) throws Exception {
        ServerSocket server = listen(OWN);
        StrangeClient peer = closeLater(StrangeClient.connect(server.getLocalPort()));
        Socket socket = closeLater(server.accept());
        Task<Integer> reader = read(kind, socket);
        peer.hangUp();
        assertEquals(-1, reader.result());
        assertOver(socket);
    }

    /** The kernel, too, resets a connection whose process has not read everything, and ends any other. */
    @ParameterizedTest
    @CsvSource({"JDK_JDK, false", "JDK_JDK, true", "PIPEDEVICE, false", "PIPEDEVICE, true"})
    void aPeerThatIsKilledEndsParkedThreads(Pairing pairing, boolean writes) throws Exception {
        ServerSocket server = listen(pairing.serverSockets());
        String port = Integer.toString(server.getLocalPort());
        List<String> flags = new ArrayList<>(ChildJvm.inheritedFlags());
        if (pairing.accelerated()) {
            flags.add("-Djava.nio.channels.spi.SelectorProvider=" + PipeDeviceSelectorProvider.class.getName());
            // On a busy machine the first handshake may take long.
            flags.add("-Dpipedevice.handshake.millis=10000");
        }
        ChildJvm child = closeLater(ChildJvm.start(List.of(), flags, ConnectingProgram.class, port, "2"));
        child.expect("ready");
        List<Task<Integer>> readers = new ArrayList<>();
        List<Task<Object>> writers = new ArrayList<>();
        for (ThreadKind kind : ThreadKind.values()) {
            Socket socket = closeLater(server.accept());
            assertEquals(pairing.accelerated(), NetSockets.onRings(socket));
            readers.add(writes ? readToEnd(kind, socket) : read(kind, socket));
            if (writes) {
                writers.add(write(kind, socket));
            }
        }
        child.kill();
        for (Task<Integer> each : readers) {
            assertEquals(-1, each.result());
        }
        for (Task<Object> each : writers) {
            isReset(each);
        }
    }

    @Test
    void aDriverThatEndsResetsTheConnectionsOfParkedThreads(@TempDir Path directory) throws Exception {
        DriverContext context = new DriverContext().directory(directory).path(DataPath.DEVICE);
        PipeDeviceDriver driver = closeLater(PipeDeviceDriver.launch(context));
        NetSockets sockets = NetSockets.of(DriverProvider.attached(directory.toString()), null);
        ServerSocket server = listen(sockets);
        List<Task<Integer>> readers = new ArrayList<>();
        List<Task<Object>> writers = new ArrayList<>();
        for (ThreadKind kind : ThreadKind.values()) {
            for (boolean writes : new boolean[] {false, true}) {
                Socket client = closeLater(sockets.open());
                client.connect(server.getLocalSocketAddress());
                Socket accepted = closeLater(server.accept());
                assertTrue(NetSockets.onRings(accepted));
                if (writes) {
                    writers.add(write(kind, accepted));
                } else {
                    readers.add(read(kind, accepted));
                    readers.add(read(kind, client));
                }
            }
        }
        driver.close();
        for (Task<Integer> each : readers) {
            assertEquals("Connection reset", each.failure(SocketException.class).getMessage());
        }
        for (Task<Object> each : writers) {
            isReset(each);
        }
    }
}
