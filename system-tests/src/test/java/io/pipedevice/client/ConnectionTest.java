// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections between two attachments through a real driver: establishment, streams, and their ends. */
@Timeout(60)
class ConnectionTest {
    private Attached attached;

    @BeforeEach
    void attach() throws IOException {
        attached = new Attached();
    }

    @AfterEach
    void detach() {
        attached.close();
    }

    @Test
    void listingOne() throws PdException {
        try (PdSocket listener = attached.server.socket();
                PdSocket client = attached.client.socket()) {
            listener.bind(Attached.loopback(4711));
            listener.listen(16);
            client.connect(Attached.loopback(4711));
            try (PdSocket accepted = listener.accept(Attached.PATIENCE_NS)) {
                PdBuffer sent = new PdBuffer();
                assertTrue(client.malloc(5, sent));
                assertTrue(client.bufRefresh(sent));
                sent.copyFrom(0, "hello".getBytes(StandardCharsets.US_ASCII), 0, 5);
                assertEquals(5, client.send(sent, 5));
                PdBuffer received = new PdBuffer();
                assertEquals(5, accepted.recv(4096, received, Attached.PATIENCE_NS));
                byte[] bytes = new byte[5];
                received.copyTo(0, bytes, 0, 5);
                assertEquals("hello", new String(bytes, StandardCharsets.US_ASCII));
                accepted.recvDone(5);
                assertEquals(0, accepted.recv(4096, received));
                client.free(sent);
            }
        }
    }

    @Test
    void bothEndsReportTheSameAddresses() throws PdException {
        try (Attached.Pair pair = attached.pair()) {
            assertEquals(pair.client.localAddress(), pair.server.peerAddress());
            assertEquals(pair.client.peerAddress(), pair.server.localAddress());
            assertNotEquals(0, pair.client.localAddress().getPort());
        }
    }

    @Test
    @SuppressWarnings("try")
    void clientSendsAndClosesBeforeAccept() throws PdException {
        try (PdSocket listener = attached.listen(4);
                PdSocket client = attached.client.socket()) {
            client.connect(listener.localAddress());
            Bytes.send(client, "early");
            client.close();
            try (PdSocket accepted = listener.accept(Attached.PATIENCE_NS)) {
                assertEquals("early", Bytes.receiveText(accepted, 5));
                assertEquals(PdSocket.END_OF_STREAM, Bytes.receiveEnd(accepted));
            }
        }
    }

    @Test
    void connectionsAreAcceptedInOrder() throws PdException {
        try (PdSocket listener = attached.listen(8)) {
            for (int i = 0; i < 8; i++) {
                PdSocket client = attached.client.socket();
                client.connect(listener.localAddress());
                Bytes.send(client, "" + i);
            }
            for (int i = 0; i < 8; i++) {
                assertEquals("" + i, Bytes.receiveText(listener.accept(Attached.PATIENCE_NS), 1));
            }
            assertNull(listener.accept());
        }
    }

    @Test
    void nobodyListens() throws PdException {
        try (PdSocket socket = attached.client.socket()) {
            PdException refused = assertThrows(PdException.class, () -> socket.connect(Attached.loopback(1)));
            assertEquals(Errno.ECONNREFUSED, refused.errno());
            assertEquals("Connection refused", refused.getMessage());
            // The socket is as good as new.
            try (PdSocket listener = attached.listen(1)) {
                socket.connect(listener.localAddress());
            }
        }
    }

    @Test
    void backlogIsFull() throws PdException {
        try (PdSocket listener = attached.listen(2)) {
            attached.client.socket().connect(listener.localAddress());
            attached.client.socket().connect(listener.localAddress());
            PdSocket third = attached.client.socket();
            PdException refused = assertThrows(PdException.class, () -> third.connect(listener.localAddress()));
            assertEquals(Errno.ECONNREFUSED, refused.errno());
            listener.accept(Attached.PATIENCE_NS);
            third.connect(listener.localAddress());
        }
    }

    @Test
    void addressInUse() throws PdException {
        try (PdSocket listener = attached.listen(1);
                PdSocket other = attached.client.socket()) {
            PdException refused = assertThrows(PdException.class, () -> other.bind(listener.localAddress()));
            assertEquals(Errno.EADDRINUSE, refused.errno());
            assertEquals("Address already in use", refused.getMessage());
        }
    }

    @Test
    void portIsFreeAfterClose() throws PdException {
        PdSocket listener = attached.listen(1);
        InetSocketAddress address = listener.localAddress();
        listener.close();
        try (PdSocket next = attached.server.socket()) {
            next.bind(address);
            assertEquals(address, next.localAddress());
        }
    }

    @Test
    void listenWithoutBindTakesAPort() throws PdException {
        try (PdSocket listener = attached.server.socket();
                PdSocket client = attached.client.socket()) {
            listener.listen(1);
            client.connect(Attached.loopback(listener.localAddress().getPort()));
        }
    }

    @Test
    void lingerZeroAborts() throws PdException {
        try (Attached.Pair pair = attached.pair()) {
            pair.client.setOption(StandardSocketOptions.SO_LINGER, 0);
            pair.client.close();
            assertThrows(PdException.class, () -> Bytes.receiveEnd(pair.server));
        }
    }

    @Test
    void closedListenerResetsThoseThatWait() throws PdException {
        try (PdSocket client = attached.client.socket()) {
            try (PdSocket listener = attached.listen(1)) {
                client.connect(listener.localAddress());
            }
            PdException reset = assertThrows(PdException.class, () -> Bytes.receiveEnd(client));
            assertEquals(Errno.ECONNRESET, reset.errno());
        }
    }

    @Test
    void ringSizesAreThoseOfTheOptions() throws PdException {
        try (Attached.Pair pair = attached.pair(10_000)) {
            assertEquals(16384, pair.client.getOption(StandardSocketOptions.SO_SNDBUF));
            assertEquals(16384, pair.server.getOption(StandardSocketOptions.SO_RCVBUF));
            PdBuffer all = new PdBuffer();
            assertTrue(pair.client.malloc(16384, all));
            assertEquals(16384, all.memory().byteSize());
            assertEquals(16384, pair.client.send(all, 16384));
            PdBuffer received = new PdBuffer();
            assertEquals(16384, receiveAll(pair.server, received));
            assertEquals(16384, received.memory().byteSize());
        }
    }

    private static int receiveAll(PdSocket socket, PdBuffer into) throws PdException {
        int sum = 0;
        while (sum < 16384) {
            sum += socket.recv(16384, into, Attached.PATIENCE_NS);
        }
        return sum;
    }

    @Test
    @SuppressWarnings("try")
    void releaseDeliversWhatWasPosted() throws IOException {
        try (PipeDevice third = PipeDevice.init(attached.driver);
                PdSocket listener = attached.listen(1)) {
            PdSocket client = third.socket();
            client.connect(listener.localAddress());
            PdSocket accepted = listener.accept(Attached.PATIENCE_NS);
            byte[] data = new byte[200_000];
            data[199_999] = 9;
            Bytes.send(client, data);
            third.close();
            assertEquals(9, Bytes.receive(accepted, 200_000)[199_999]);
            assertEquals(PdSocket.END_OF_STREAM, Bytes.receiveEnd(accepted));
        }
    }
}
