// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.jdk.Literals;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpSequencesTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(Literals.address("127.0.0.1"), 0);

    private final List<Fd> open = new ArrayList<>();
    private Fd server;
    private Fd client;
    private Fd accepted;

    @BeforeEach
    void begin() throws LinuxException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "needs CAP_NET_ADMIN");
        server = keep(TcpPort.reserve(ANY_PORT));
        LinuxException.check("listen", SocketCalls.listen(server.acquire(), 8));
        server.release();
        client = connect();
        accepted = keep(SocketSetup.accept(server));
    }

    @AfterEach
    void close() {
        open.forEach(Fd::close);
    }

    private Fd keep(Fd fd) {
        open.add(fd);
        return fd;
    }

    private Fd connect() throws LinuxException {
        Fd fd = keep(TcpPort.reserve(ANY_PORT));
        InetSocketAddress to = TcpPort.address(server);
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment name = scratch.zeroed();
            int length = TcpPort.write(to.getAddress().getAddress(), 0, to.getPort(), name);
            LinuxException.check("connect", SocketCalls.connect(fd.acquire(), name, length));
        } finally {
            fd.release();
        }
        return fd;
    }

    private static long move(Fd fd, boolean sends, long length) throws LinuxException {
        try (Scratch scratch = Scratch.borrow()) {
            int number = fd.acquire();
            MemorySegment bytes = scratch.buffer();
            long moved = sends
                    ? SocketCalls.send(number, bytes, length, SocketCalls.MSG_NOSIGNAL)
                    : SocketCalls.recv(number, bytes, length, 0);
            return LinuxException.check("move", moved);
        } finally {
            fd.release();
        }
    }

    private static int reuse(Fd fd) throws LinuxException {
        return SocketSetup.option(fd, SocketCalls.SO_REUSEADDR, 1)[0];
    }

    @Test
    void theEndsOfAConnectionAreMatchedBySequenceNumbers() throws LinuxException {
        TcpSequences ours = TcpSequences.of(client);
        TcpSequences theirs = TcpSequences.of(accepted);
        assertTrue(ours.areOfOtherEnd(theirs));
        assertTrue(theirs.areOfOtherEnd(ours));
        assertFalse(ours.areOfOtherEnd(ours));
        TcpSequences second = TcpSequences.of(connect());
        TcpSequences other = TcpSequences.of(keep(SocketSetup.accept(server)));
        assertTrue(second.areOfOtherEnd(other));
        assertFalse(ours.areOfOtherEnd(other));
        assertFalse(second.areOfOtherEnd(theirs));
    }

    @Test
    void theStreamGoesOnAndTheOptionsStay() throws LinuxException {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment on = scratch.zeroed();
            on.set(Native.INT, 0, 1);
            SocketCalls.setOption(client.acquire(), SocketCalls.SO_REUSEADDR, on, Integer.BYTES);
            client.release();
        }
        int before = reuse(accepted);
        TcpSequences start = TcpSequences.of(client);
        TcpSequences.of(accepted);
        assertEquals(1, reuse(client));
        assertEquals(before, reuse(accepted));
        assertEquals(100, move(client, true, 100));
        assertEquals(100, move(accepted, false, 200));
        assertEquals(start.sent() + 100, TcpSequences.of(client).sent());
        assertEquals(50, move(accepted, true, 50));
        assertEquals(50, move(client, false, 200));
        client.close();
        assertEquals(0, move(accepted, false, 1));
    }

    @Test
    void otherSocketsAreRefused() throws LinuxException {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        LinuxException unix = assertThrows(LinuxException.class, () -> TcpSequences.of(pair[0].fd()));
        LinuxException diag = assertThrows(LinuxException.class, () -> TcpConnections.askingWith(pair[1].fd()));
        pair[0].close();
        pair[1].close();
        assertEquals(Errno.EPROTOTYPE, unix.errno());
        assertEquals(Errno.EPROTOTYPE, diag.errno());
        LinuxException listening = assertThrows(LinuxException.class, () -> TcpSequences.of(server));
        assertEquals(Errno.ENOTCONN, listening.errno());
    }

    @Test
    void aNamespaceOfThisProcessBelongsToItsUserNamespace() throws IOException {
        assertTrue(NamespaceOwner.isOwn(client));
    }

    @Test
    void theKernelReportsWhichConnectionsExist() throws LinuxException {
        InetSocketAddress at = TcpPort.address(server);
        InetSocketAddress from = TcpPort.address(client);
        try (TcpConnections connections = TcpConnections.askingWith(TcpConnections.openSocket())) {
            assertEquals(TcpConnections.Stage.HELD, connections.find(at, from));
            assertEquals(TcpConnections.Stage.HELD, connections.find(from, at));
            assertEquals(
                    TcpConnections.Stage.ABSENT,
                    connections.find(at, new InetSocketAddress(from.getAddress(), at.getPort())));
            assertEquals(
                    TcpConnections.Stage.ABSENT, connections.find(new InetSocketAddress(from.getAddress(), 1), from));
        }
    }
}
