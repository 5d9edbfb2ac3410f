// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Descriptors in messages; none of them leaks in any case. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DescriptorPassingTest {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(256);
    private final ReceivedFds received = new ReceivedFds();
    private UnixSocket[] pair;
    private EventFd event;
    private int fdsBefore;

    @BeforeEach
    void open() throws IOException {
        pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        event = EventFd.open();
        fdsBefore = TestCalls.openKernelObjects();
    }

    @AfterEach
    void close() {
        pair[0].close();
        pair[1].close();
        event.close();
        arena.close();
    }

    @Test
    void receiverGetsTheSameOpenFiles() throws IOException {
        try (Fd memory = MemoryTest.file("passed")) {
            assertEquals(5, pair[0].send(buffer, 0, 5, event.fd(), memory));
        }
        assertEquals(5, pair[1].receive(buffer, 0, 256, received, false));
        assertEquals(2, received.count());
        try (Fd first = received.take(0);
                Fd second = received.take(1)) {
            assertEquals(TestCalls.FD_CLOEXEC, FileCalls.fcntl(first.number(), TestCalls.F_GETFD, 0));
            Poll poll = new Poll(1);
            poll.add(first, Poll.IN);
            assertEquals(0, poll.await(0));
            assertTrue(event.signal());
            assertEquals(1, poll.await(0));
            try (Arena mapping = Arena.ofConfined()) {
                MemorySegment memory = Memory.map(second, 0, Memory.pageSize(), true, mapping);
                memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
            }
        }
        assertNoLeak();
    }

    @Test
    void asManyAsFitArriveInTheirOrder() throws IOException {
        Fd[] memories = new Fd[UnixSocket.MAX_FDS];
        for (int i = 0; i < memories.length; i++) {
            memories[i] = Memory.memfd("number-" + i, Memory.PageSize.NORMAL);
            Memory.resize(memories[i], i);
        }
        pair[0].send(buffer, 0, 1, memories);
        Arrays.stream(memories).forEach(Fd::close);
        assertEquals(1, pair[1].receive(buffer, 0, 1, received, true));
        assertEquals(UnixSocket.MAX_FDS, received.count());
        for (int i = 0; i < memories.length; i++) {
            try (Fd fd = received.take(i)) {
                assertEquals(i, Memory.status(fd).size());
            }
        }
        assertNoLeak();
    }

    @Test
    void moreThanFitAreRefusedBeforeSending() {
        Fd[] tooMany = new Fd[UnixSocket.MAX_FDS + 1];
        Arrays.fill(tooMany, event.fd());
        assertThrows(IllegalArgumentException.class, () -> pair[0].send(buffer, 0, 1, tooMany));
    }

    @Test
    void aMessageWithTooManyDescriptorsIsRefusedWithoutALeak() throws IOException {
        sendRaw(UnixSocket.MAX_FDS + 1);
        sendRaw(100);
        for (int i = 0; i < 2; i++) {
            LinuxException e =
                    assertThrows(LinuxException.class, () -> pair[1].receive(buffer, 0, 256, received, false));
            assertEquals(Errno.EMSGSIZE, e.errno());
            assertTrue(e.getMessage().contains("more than the 8 descriptors"), e.getMessage());
            assertEquals(0, received.count());
        }
        assertNoLeak();
    }

    @Test
    void aMessageThatIsReceivedWholeIsReceivedOnce() throws IOException {
        pair[0].send(buffer, 0, 5, event.fd(), event.fd());
        pair[0].send(buffer, 0, 6);
        assertEquals(5, pair[1].receiveWhole(buffer, 0, 256, received));
        assertEquals(2, received.count());
        assertEquals(fdsBefore + 2, TestCalls.openKernelObjects());
        assertEquals(6, pair[1].receiveWhole(buffer, 0, 256, received));
        assertEquals(UnixSocket.WOULD_BLOCK, pair[1].receiveWhole(buffer, 0, 256, received));
        pair[0].close();
        assertEquals(0, pair[1].receiveWhole(buffer, 0, 256, received));
        fdsBefore--;
        assertNoLeak();
    }

    @Test
    void whatIsRefusedWholeIsRefusedAgain() throws IOException {
        sendRaw(100);
        for (int i = 0; i < 2; i++) {
            LinuxException e = assertThrows(LinuxException.class, () -> pair[1].receiveWhole(buffer, 0, 256, received));
            assertEquals(Errno.EMSGSIZE, e.errno());
            assertEquals(0, received.count());
        }
        assertNoLeak();
    }

    @Test
    void messageThatIsTooLongIsRefusedWithItsDescriptors() throws IOException {
        pair[0].send(buffer, 0, 100, event.fd(), event.fd());
        LinuxException e = assertThrows(LinuxException.class, () -> pair[1].receive(buffer, 0, 99, received, false));
        assertEquals(Errno.EMSGSIZE, e.errno());
        assertTrue(e.getMessage().contains("longer than the 99 bytes"), e.getMessage());
        assertEquals(0, received.count());
        assertNoLeak();
    }

    @Test
    void unexpectedDescriptorsAreRefused() throws IOException {
        pair[0].send(buffer, 0, 1, event.fd());
        LinuxException e = assertThrows(LinuxException.class, () -> pair[1].receive(buffer, 0, 8, null, false));
        assertEquals(Errno.EMSGSIZE, e.errno());
        assertTrue(e.getMessage().contains("more than the 0 descriptors"), e.getMessage());
        assertNoLeak();
    }

    @Test
    void emptyMessageWithDescriptorsLeavesNothingBehind() throws IOException {
        int number = pair[0].fd().acquire();
        try {
            Fd[] one = {event.fd()};
            assertEquals(0, Messages.send(number, buffer, 0, 0, SocketCalls.MSG_NOSIGNAL, one));
        } finally {
            pair[0].fd().release();
        }
        assertEquals(0, pair[1].receive(buffer, 0, 8, received, false));
        assertEquals(0, received.count());
        assertNoLeak();
    }

    @Test
    void drainClosesDescriptorsToo() throws IOException {
        pair[0].send(buffer, 0, 1, event.fd(), event.fd());
        assertEquals(1, pair[1].drain());
        assertNoLeak();
    }

    @Test
    void whatIsNotTakenIsClosedWithTheNextMessage() throws IOException {
        for (int i = 0; i < 50; i++) {
            pair[0].send(buffer, 0, 1, event.fd(), event.fd(), event.fd());
            pair[1].receive(buffer, 0, 1, received, true);
            assertEquals(3, received.count());
            received.take(1).close();
            assertThrows(IllegalStateException.class, () -> received.take(1));
            assertThrows(IndexOutOfBoundsException.class, () -> received.take(3));
        }
        assertEquals(UnixSocket.WOULD_BLOCK, pair[1].receive(buffer, 0, 1, received, false));
        assertEquals(0, received.count());
        assertNoLeak();
    }

    @Test
    void descriptorsUnderWayDieWithTheSocket() throws IOException {
        pair[0].send(buffer, 0, 1, event.fd());
        try (Fd memory = MemoryTest.file("under-way")) {
            pair[0].send(buffer, 0, 1, memory);
        }
        pair[1].close();
        assertEquals(fdsBefore - 1, TestCalls.openKernelObjects());
    }

    @Test
    void closedDescriptorCannotBeSent() throws IOException {
        EventFd closed = EventFd.open();
        closed.close();
        LinuxException e =
                assertThrows(LinuxException.class, () -> pair[0].send(buffer, 0, 1, event.fd(), closed.fd()));
        assertEquals(Errno.EBADF, e.errno());
        assertEquals(UnixSocket.WOULD_BLOCK, pair[1].receive(buffer, 0, 1, received, false));
        event.close();
        assertEquals(fdsBefore - 1, TestCalls.openKernelObjects(), "a use of the first descriptor was not released");
        assertFalse(event.fd().isOpen());
    }

    /** Sends more descriptors than this library would; any other process can do that. */
    private void sendRaw(int count) throws LinuxException {
        int number = pair[0].fd().acquire();
        try {
            MemorySegment control = arena.allocate(16 + count * 4L + 4, 8);
            control.set(ValueLayout.JAVA_LONG, 0, 16 + count * 4L);
            control.set(ValueLayout.JAVA_INT, 8, SocketCalls.SOL_SOCKET);
            control.set(ValueLayout.JAVA_INT, 12, 1);
            for (int i = 0; i < count; i++) {
                control.set(ValueLayout.JAVA_INT, 16 + i * 4L, event.fd().number());
            }
            MemorySegment iovec = arena.allocate(16, 8);
            iovec.set(ValueLayout.JAVA_LONG, 0, buffer.address());
            iovec.set(ValueLayout.JAVA_LONG, 8, 1);
            MemorySegment message = arena.allocate(56, 8);
            message.set(ValueLayout.JAVA_LONG, 16, iovec.address());
            message.set(ValueLayout.JAVA_LONG, 24, 1);
            message.set(ValueLayout.JAVA_LONG, 32, control.address());
            message.set(ValueLayout.JAVA_LONG, 40, 16 + count * 4L);
            assertEquals(1, SocketCalls.sendmsg(number, message, 0, buffer));
        } finally {
            pair[0].fd().release();
        }
    }

    private void assertNoLeak() throws IOException {
        assertEquals(fdsBefore, TestCalls.openKernelObjects(), "descriptors leaked");
    }
}
