// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnixSocketTest {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final List<UnixSocket> opened = new ArrayList<>();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(4096);
    private int fdsBefore;

    @BeforeEach
    void countDescriptors() throws IOException {
        fdsBefore = TestCalls.openKernelObjects();
    }

    @AfterEach
    void closeAndCountAgain() throws IOException {
        opened.forEach(UnixSocket::close);
        arena.close();
        assertEquals(fdsBefore, TestCalls.openKernelObjects(), "descriptors leaked");
    }

    @ParameterizedTest
    @EnumSource(UnixSocket.Type.class)
    void connectsByAbstractName(UnixSocket.Type type) throws IOException {
        UnixAddress address = freeName();
        UnixSocket listener = opened(UnixSocket.listen(type, address, 8));
        UnixSocket client = opened(UnixSocket.connect(type, address));
        UnixSocket server = opened(listener.accept());
        assertExchange(client, server);
        assertExchange(server, client);
        assertEquals(type, server.type());
    }

    @ParameterizedTest
    @EnumSource(UnixSocket.Type.class)
    void connectsByPath(UnixSocket.Type type, @TempDir Path directory) throws IOException {
        Path path = directory.resolve("socket");
        UnixSocket listener = opened(UnixSocket.listen(type, UnixAddress.path(path), 8));
        assertTrue(Files.exists(path));
        UnixSocket client = opened(UnixSocket.connect(type, UnixAddress.path(path), 1000));
        assertExchange(client, opened(listener.accept()));
        listener.close();
        assertTrue(Files.exists(path), "close must not remove the path");
        assertErrno(Errno.ECONNREFUSED, () -> UnixSocket.connect(type, UnixAddress.path(path)));
        assertErrno(Errno.EADDRINUSE, () -> UnixSocket.listen(type, UnixAddress.path(path), 8));
    }

    @Test
    void reportsWhyItCannotConnectOrListen(@TempDir Path directory) throws IOException {
        assertErrno(
                Errno.ENOENT,
                () -> UnixSocket.connect(UnixSocket.Type.STREAM, UnixAddress.path(directory.resolve("nobody"))));
        assertErrno(Errno.ECONNREFUSED, () -> UnixSocket.connect(UnixSocket.Type.STREAM, freeName()));
        assertErrno(
                Errno.ENOENT,
                () -> UnixSocket.listen(UnixSocket.Type.STREAM, UnixAddress.path(directory.resolve("no/no")), 1));
        UnixAddress address = freeName();
        opened(UnixSocket.listen(UnixSocket.Type.STREAM, address, 1));
        assertErrno(Errno.EADDRINUSE, () -> UnixSocket.listen(UnixSocket.Type.STREAM, address, 1));
        // Abstract names of different types are different names; paths are not.
        assertErrno(Errno.ECONNREFUSED, () -> UnixSocket.connect(UnixSocket.Type.SEQPACKET, address));
        UnixAddress path = UnixAddress.path(directory.resolve("stream"));
        opened(UnixSocket.listen(UnixSocket.Type.STREAM, path, 1));
        assertErrno(Errno.EPROTOTYPE, () -> UnixSocket.connect(UnixSocket.Type.SEQPACKET, path));
    }

    @Test
    void refusesAddressesThatCannotBe() {
        String longest = "x".repeat(UnixAddress.MAX_LENGTH);
        assertEquals("@" + longest, UnixAddress.abstractName(longest).toString());
        for (String name : List.of("", longest + "x", "a\0b", "\u00fc".repeat(54))) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> UnixAddress.abstractName(name));
            assertTrue(e.getMessage().contains("1 to 107 bytes"), e.getMessage());
        }
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> UnixAddress.path(Path.of("/" + longest)));
        assertTrue(e.getMessage().contains("this one has 108"), e.getMessage());
    }

    @Test
    void longestNamesAreDistinct() throws IOException {
        String prefix = "x".repeat(UnixAddress.MAX_LENGTH - 12)
                + ProcessHandle.current().pid();
        String name = prefix + "-".repeat(UnixAddress.MAX_LENGTH - 1 - prefix.length());
        UnixSocket listener =
                opened(UnixSocket.listen(UnixSocket.Type.STREAM, UnixAddress.abstractName(name + "a"), 1));
        opened(UnixSocket.listen(UnixSocket.Type.STREAM, UnixAddress.abstractName(name + "b"), 1));
        opened(UnixSocket.connect(UnixSocket.Type.STREAM, UnixAddress.abstractName(name + "a")));
        opened(listener.accept());
        assertEquals(UnixAddress.abstractName(name), UnixAddress.abstractName(name));
        assertNotEquals(UnixAddress.abstractName(name), UnixAddress.path(Path.of(name)));
    }

    @Test
    void pathAsLongAsItMayBeIsUsable(@TempDir Path directory) throws IOException {
        String start = directory + "/";
        Path path = Path.of(start + "x".repeat(UnixAddress.MAX_LENGTH - start.length()));
        UnixSocket listener = opened(UnixSocket.listen(UnixSocket.Type.STREAM, UnixAddress.path(path), 1));
        opened(UnixSocket.connect(UnixSocket.Type.STREAM, UnixAddress.path(path)));
        opened(listener.accept());
        assertTrue(Files.exists(path));
    }

    @Test
    void connectGivesUpWhenTheBacklogStaysFull() throws Exception {
        UnixAddress address = freeName();
        UnixSocket listener = opened(UnixSocket.listen(UnixSocket.Type.SEQPACKET, address, 0));
        UnixSocket first = opened(UnixSocket.connect(UnixSocket.Type.SEQPACKET, address, 0));
        long start = System.nanoTime();
        assertErrno(Errno.EAGAIN, () -> UnixSocket.connect(UnixSocket.Type.SEQPACKET, address, 0));
        assertErrno(Errno.EAGAIN, () -> UnixSocket.connect(UnixSocket.Type.SEQPACKET, address, 50));
        assertTrue(System.nanoTime() - start >= 50_000_000);
        UnixSocket server = opened(listener.accept());
        assertExchange(first, server);
        // The timeout was only for connecting.
        while (first.send(buffer, 0, 4096) > 0) {
            assertTrue(first.fd().isOpen());
        }
        FutureTask<Integer> drainer = new FutureTask<>(() -> {
            Thread.sleep(200);
            return server.drain();
        });
        Thread.ofPlatform().start(drainer);
        assertEquals(4096, first.sendBlocking(buffer, 0, 4096));
        assertTrue(drainer.get() > 0);
    }

    @Test
    void acceptReturnsNullWithAnEmptyBacklog() throws IOException {
        UnixSocket listener = opened(UnixSocket.listen(UnixSocket.Type.SEQPACKET, freeName(), 1));
        listener.nonBlocking(true);
        assertNull(listener.accept());
        assertErrno(Errno.EINVAL, () -> opened(UnixSocket.pair(UnixSocket.Type.SEQPACKET))[0].accept());
    }

    @Test
    void nonBlockingCallsReturnWouldBlock() throws IOException {
        UnixSocket[] pair = opened(UnixSocket.pair(UnixSocket.Type.SEQPACKET));
        assertEquals(UnixSocket.WOULD_BLOCK, pair[0].receive(buffer, 0, 8, null, false));
        int sent = 0;
        while (pair[0].send(buffer, 0, 4096) != UnixSocket.WOULD_BLOCK) {
            sent++;
        }
        assertTrue(sent > 0);
        pair[0].nonBlocking(true);
        assertEquals(UnixSocket.WOULD_BLOCK, pair[0].sendBlocking(buffer, 0, 4096));
        assertEquals(UnixSocket.WOULD_BLOCK, pair[0].receive(buffer, 0, 8, null, true));
        assertErrno(Errno.EMSGSIZE, () -> pair[0].send(arena.allocate(16 << 20), 0, 16 << 20));
    }

    @ParameterizedTest
    @EnumSource(UnixSocket.Type.class)
    void peerThatClosedIsEndOfFileAndBrokenPipe(UnixSocket.Type type) throws IOException {
        UnixSocket[] pair = opened(UnixSocket.pair(type));
        buffer.setString(0, "last words");
        pair[0].send(buffer, 0, 10);
        pair[0].close();
        assertEquals(10, pair[1].receive(buffer, 100, 20, null, true));
        assertEquals("last words", buffer.getString(100));
        assertEquals(0, pair[1].receive(buffer, 0, 20, null, true));
        assertErrno(Errno.EPIPE, () -> pair[1].send(buffer, 0, 1));
        assertErrno(Errno.EPIPE, () -> pair[1].sendBlocking(buffer, 0, 1));
    }

    @Test
    void peerThatClosedWithUnreadDataIsAReset() throws IOException {
        UnixSocket[] pair = opened(UnixSocket.pair(UnixSocket.Type.SEQPACKET));
        pair[0].send(buffer, 0, 10);
        pair[1].close();
        assertErrno(Errno.ECONNRESET, () -> pair[0].receive(buffer, 0, 20, null, true));
    }

    @Test
    void halfCloseIsEndOfFileInOneDirection() throws IOException {
        UnixSocket[] pair = opened(UnixSocket.pair(UnixSocket.Type.STREAM));
        pair[0].shutdown(false, true);
        assertEquals(0, pair[1].receive(buffer, 0, 8, null, true));
        assertErrno(Errno.EPIPE, () -> pair[0].send(buffer, 0, 1));
        assertExchange(pair[1], pair[0]);
        pair[0].shutdown(true, false);
        assertErrno(Errno.EPIPE, () -> pair[1].send(buffer, 0, 1));
    }

    @Test
    void credentialsAndProcessOfThePeerComeFromTheKernel() throws Exception {
        UnixSocket[] pair = opened(UnixSocket.pair(UnixSocket.Type.STREAM));
        UnixSocket.Credentials credentials = pair[0].peerCredentials();
        assertEquals(ProcessHandle.current().pid(), credentials.pid());
        assertEquals(ProcessFacts.effectiveUid(), credentials.uid());
        var process = pair[0].peerPidFd();
        if (process.isPresent()) {
            try (PidFd self = process.get()) {
                assertTrue(self.isAlive());
                assertEquals(TestCalls.FD_CLOEXEC, FileCalls.fcntl(self.fd().number(), TestCalls.F_GETFD, 0));
            }
        }
        UnixSocket unconnected = opened(UnixSocket.listen(UnixSocket.Type.STREAM, freeName(), 1));
        unconnected.close();
        assertErrno(Errno.EBADF, unconnected::peerCredentials);
    }

    @Test
    void takesOverOnlySocketsOfItsKind() throws IOException {
        UnixSocket[] pair = opened(UnixSocket.pair(UnixSocket.Type.STREAM));
        assertEquals(
                UnixSocket.Type.STREAM,
                UnixSocket.own(UnixSocket.Type.STREAM, pair[0].fd()).type());
        assertErrno(Errno.EPROTOTYPE, () -> UnixSocket.own(UnixSocket.Type.SEQPACKET, pair[0].fd()));
        try (EventFd event = EventFd.open()) {
            assertErrno(Errno.ENOTSOCK, () -> UnixSocket.own(UnixSocket.Type.STREAM, event.fd()));
        }
        try (Fd tcp = TestCalls.tcpSocket()) {
            assertErrno(Errno.EPROTOTYPE, () -> UnixSocket.own(UnixSocket.Type.STREAM, tcp));
            assertTrue(tcp.isOpen(), "on failure the caller keeps the descriptor");
        }
    }

    @Test
    void refusesMemoryThatTheKernelCannotUse() {
        UnixSocket[] pair = opened(pairOf(UnixSocket.Type.STREAM));
        MemorySegment heap = MemorySegment.ofArray(new byte[8]);
        assertThrows(IllegalArgumentException.class, () -> pair[0].send(heap, 0, 8));
        assertThrows(IllegalArgumentException.class, () -> pair[0].receive(heap, 0, 8, null, false));
        assertThrows(IllegalArgumentException.class, () -> pair[0].receive(buffer.asReadOnly(), 0, 8, null, false));
        assertThrows(IllegalArgumentException.class, () -> pair[0].send(buffer, 0, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> pair[0].send(buffer, 4000, 97));
        assertThrows(IndexOutOfBoundsException.class, () -> pair[0].send(buffer, -1, 1));
        Arena closed = Arena.ofConfined();
        MemorySegment gone = closed.allocate(8);
        closed.close();
        assertThrows(IllegalStateException.class, () -> pair[0].send(gone, 0, 8));
        assertThrows(IllegalStateException.class, () -> pair[0].receive(gone, 0, 8, null, false));
    }

    @Test
    void socketsAreCloseOnExec() throws IOException {
        UnixAddress address = freeName();
        UnixSocket listener = opened(UnixSocket.listen(UnixSocket.Type.STREAM, address, 1));
        UnixSocket client = opened(UnixSocket.connect(UnixSocket.Type.STREAM, address));
        UnixSocket server = opened(listener.accept());
        UnixSocket[] pair = opened(UnixSocket.pair(UnixSocket.Type.STREAM));
        for (UnixSocket socket : List.of(listener, client, server, pair[0], pair[1])) {
            assertEquals(TestCalls.FD_CLOEXEC, FileCalls.fcntl(socket.fd().number(), TestCalls.F_GETFD, 0));
        }
    }

    private void assertExchange(UnixSocket from, UnixSocket to) throws IOException {
        buffer.setString(0, "hello");
        assertEquals(6, from.sendBlocking(buffer, 0, 6));
        assertEquals(6, to.receive(buffer, 1000, 100, null, true));
        assertEquals("hello", buffer.getString(1000));
    }

    private static void assertErrno(int errno, org.junit.jupiter.api.function.Executable call) {
        assertEquals(Errno.name(errno), assertThrows(LinuxException.class, call).errnoName());
    }

    private UnixSocket opened(UnixSocket socket) {
        opened.add(socket);
        return socket;
    }

    private UnixSocket[] opened(UnixSocket[] pair) {
        opened.addAll(List.of(pair));
        return pair;
    }

    private static UnixSocket[] pairOf(UnixSocket.Type type) {
        try {
            return UnixSocket.pair(type);
        } catch (LinuxException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static UnixAddress freeName() {
        return UnixAddress.abstractName(
                "io.pipedevice.test." + ProcessHandle.current().pid() + "." + NAMES.incrementAndGet());
    }
}
