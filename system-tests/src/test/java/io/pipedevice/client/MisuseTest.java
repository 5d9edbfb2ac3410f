// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Each misuse of a call fails with the rule that it violates, and has no other effect. */
@Timeout(60)
class MisuseTest {
    private Attached attached;
    private Attached.Pair pair;
    private PdSocket socket;

    @BeforeEach
    void connect() throws IOException {
        attached = new Attached();
        pair = attached.pair();
        socket = pair.client;
    }

    @AfterEach
    void stillWorks() throws PdException {
        try (Attached.Pair other = attached.pair()) {
            Bytes.send(other.client, "intact");
            assertEquals("intact", Bytes.receiveText(other.server, 6));
        } finally {
            attached.close();
        }
    }

    private static void assertRule(Class<? extends RuntimeException> type, String rule, Executable call) {
        RuntimeException e = assertThrows(type, call);
        assertTrue(e.getMessage().contains(rule), e.getMessage());
    }

    @Test
    void callsInTheWrongState() throws PdException {
        try (PdSocket fresh = attached.client.socket();
                PdSocket listener = attached.listen(1)) {
            PdBuffer buffer = new PdBuffer();
            assertRule(IllegalStateException.class, "not connected", () -> fresh.malloc(1, buffer));
            assertRule(IllegalStateException.class, "not connected", () -> fresh.send(buffer, 1));
            assertRule(IllegalStateException.class, "not connected", () -> fresh.recv(1, buffer));
            assertRule(IllegalStateException.class, "not connected", () -> fresh.recvDone(1));
            assertRule(IllegalStateException.class, "CONNECTED", () -> socket.connect(listener.localAddress()));
            assertRule(IllegalStateException.class, "LISTENING", () -> listener.connect(listener.localAddress()));
            assertRule(IllegalStateException.class, "CONNECTED", () -> socket.listen(1));
            assertRule(IllegalStateException.class, "LISTENING", () -> listener.bind(Attached.loopback(0)));
            assertRule(IllegalStateException.class, "does not listen", fresh::accept);
            assertRule(IllegalStateException.class, "shutdownOutput", fresh::shutdownOutput);
            assertRule(
                    IllegalArgumentException.class,
                    "unresolved",
                    () -> fresh.connect(InetSocketAddress.createUnresolved("nowhere.invalid", 1)));
            assertRule(IllegalArgumentException.class, "backlog", () -> fresh.listen(0));
        }
    }

    @Test
    void unsupportedOptions() throws PdException {
        assertRule(
                UnsupportedOperationException.class,
                "SO_SNDBUF, SO_RCVBUF, SO_LINGER",
                () -> socket.setOption(StandardSocketOptions.TCP_NODELAY, true));
        assertRule(
                UnsupportedOperationException.class,
                "SO_KEEPALIVE",
                () -> socket.getOption(StandardSocketOptions.SO_KEEPALIVE));
        assertRule(
                IllegalArgumentException.class,
                "SO_LINGER",
                () -> socket.setOption(StandardSocketOptions.SO_LINGER, 5));
        assertRule(
                IllegalArgumentException.class,
                "SO_SNDBUF",
                () -> socket.setOption(StandardSocketOptions.SO_SNDBUF, -1));
        assertEquals(3, socket.supportedOptions().size());
    }

    @Test
    void wholeReceiveRingHandedOut() throws PdException {
        try (Attached.Pair small = attached.pair(4096)) {
            Bytes.send(small.client, new byte[4096]);
            PdBuffer buffer = new PdBuffer();
            int sum = 0;
            while (sum < 4096) {
                sum += small.server.recv(4096, buffer, Attached.PATIENCE_NS);
            }
            assertEquals(0, small.server.recv(1, buffer));
            assertRule(
                    IllegalStateException.class, "recvDone", () -> small.server.recv(1, buffer, Attached.PATIENCE_NS));
        }
    }

    @Test
    void socketInTheWrongEpollInstance() throws PdException {
        try (PdEpoll one = attached.client.epoll();
                PdEpoll two = attached.client.epoll();
                PdEpoll foreign = attached.server.epoll()) {
            one.add(socket, PdEpoll.IN, null);
            assertRule(IllegalStateException.class, "already", () -> one.add(socket, PdEpoll.IN, null));
            assertRule(IllegalStateException.class, "not in this", () -> two.modify(socket, PdEpoll.OUT));
            assertRule(IllegalStateException.class, "not in this", () -> two.remove(socket));
            assertRule(IllegalArgumentException.class, "foreign", () -> foreign.add(socket, PdEpoll.IN, null));
            assertRule(IllegalArgumentException.class, "unknown events", () -> one.modify(socket, 0x40));
            two.add(socket, PdEpoll.IN, null);
            one.remove(socket);
            socket.close();
            assertRule(IllegalStateException.class, "not in this", () -> two.remove(socket));
            assertRule(IllegalStateException.class, "closed socket", () -> two.add(socket, PdEpoll.IN, null));
        }
    }

    @Test
    void callsAfterRelease() throws IOException {
        PipeDevice device = PipeDevice.init(attached.driver);
        PdSocket left = device.socket();
        PdEpoll epoll = device.epoll();
        device.close();
        device.close();
        assertRule(IllegalStateException.class, "released", device::socket);
        assertRule(IllegalStateException.class, "released", device::epoll);
        assertRule(IllegalStateException.class, "closed", () -> left.bind(Attached.loopback(0)));
        assertRule(IllegalStateException.class, "closed", () -> epoll.await(new PdEvents(1), 0));
        left.close();
        epoll.close();
    }
}
