// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.test.Asleep;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SocketThreadsTest {
    private final ExecutorService executor = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    @Test
    void closeWakesAThreadThatReceives() throws Exception {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        assertWokenByClose(pair[0], () -> pair[0].receive(Arena.ofAuto().allocate(8), 0, 8, null, true));
        pair[1].close();
    }

    @Test
    void closeWakesAThreadThatSends() throws Exception {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.STREAM);
        MemorySegment data = Arena.ofAuto().allocate(1 << 16);
        while (pair[0].send(data, 0, data.byteSize()) > 0) {
            assertTrue(pair[0].fd().isOpen());
        }
        assertWokenByClose(pair[0], () -> pair[0].sendBlocking(data, 0, data.byteSize()));
        pair[1].close();
    }

    @Test
    void closeWakesAThreadThatAccepts() throws Exception {
        UnixAddress address = UnixAddress.abstractName(
                "io.pipedevice.test.accept." + ProcessHandle.current().pid());
        UnixSocket listener = UnixSocket.listen(UnixSocket.Type.SEQPACKET, address, 1);
        assertWokenByClose(listener, listener::accept);
    }

    @Test
    void memoryStaysWhileTheKernelMayWriteToIt() throws Exception {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        Arena arena = Arena.ofShared();
        MemorySegment buffer = arena.allocate(8);
        Future<Integer> blocked = Asleep.start(() -> pair[0].receive(buffer, 0, 8, null, true));
        assertThrows(IllegalStateException.class, arena::close);
        assertTrue(pair[1].ring());
        assertEquals(1, blocked.get());
        arena.close();
        pair[0].close();
        pair[1].close();
    }

    /** Starts a call that blocks, closes its socket, and expects EBADF and a closed descriptor. */
    private void assertWokenByClose(UnixSocket socket, Callable<Object> call) throws Exception {
        int number = socket.fd().number();
        Future<Object> blocked = Asleep.start(call);
        socket.close();
        try {
            throw new AssertionError("returned " + blocked.get());
        } catch (ExecutionException e) {
            assertTrue(e.getCause() instanceof LinuxException, e.toString());
            assertEquals(Errno.EBADF, ((LinuxException) e.getCause()).errno());
        }
        assertFalse(TestCalls.isOpen(number));
    }

    @Test
    void threadsThatSendOnOneSocketDoNotMixTheirMessages() throws Exception {
        int threads = 4;
        int messages = 2000;
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        try (EventFd event = EventFd.open();
                Arena arena = Arena.ofConfined()) {
            List<Future<Integer>> senders = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int id = thread;
                senders.add(executor.submit(() -> sendMany(pair[0], id, messages, event.fd())));
            }
            MemorySegment buffer = arena.allocate(1024);
            ReceivedFds fds = new ReceivedFds();
            int[] next = new int[threads];
            for (int i = 0; i < threads * messages; i++) {
                int length = pair[1].receive(buffer, 0, 1024, fds, true);
                int id = buffer.get(ValueLayout.JAVA_INT, 0);
                assertEquals(next[id]++, buffer.get(ValueLayout.JAVA_INT, 4));
                assertEquals(length(id), length);
                assertEquals(id, fds.count());
                for (int at = 8; at < length; at++) {
                    assertEquals(id, buffer.get(ValueLayout.JAVA_BYTE, at));
                }
            }
            for (Future<Integer> sender : senders) {
                assertEquals(messages, sender.get());
            }
            fds.closeAll();
        } finally {
            pair[0].close();
            pair[1].close();
        }
    }

    /** Every byte of a message, its length, and its number of descriptors identify the thread that sent it. */
    private static int sendMany(UnixSocket socket, int id, int messages, Fd fd) throws LinuxException {
        Fd[] fds = new Fd[id];
        java.util.Arrays.fill(fds, fd);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment message = arena.allocate(length(id), 8).fill((byte) id);
            message.set(ValueLayout.JAVA_INT, 0, id);
            for (int i = 0; i < messages; i++) {
                message.set(ValueLayout.JAVA_INT, 4, i);
                assertEquals(length(id), socket.sendBlocking(message, 0, length(id), fds));
            }
        }
        return messages;
    }

    private static int length(int id) {
        return 100 + 200 * id;
    }

    @Test
    void manyClosesUnderManyCallsLeaveNothingOpen() throws Exception {
        int before = TestCalls.openKernelObjects();
        for (int round = 0; round < 200; round++) {
            UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
            Future<Integer> ringing = executor.submit(() -> {
                int rings = 0;
                while (pair[0].ring()) {
                    rings++;
                }
                return rings;
            });
            Future<Integer> draining = executor.submit(() -> {
                int drains = 0;
                while (pair[1].drain() >= 0) {
                    drains++;
                }
                return drains;
            });
            pair[round % 2].close();
            assertTrue(ringing.get() >= 0);
            assertTrue(draining.get() >= 0);
            pair[1 - round % 2].close();
        }
        assertEquals(before, TestCalls.openKernelObjects(), "descriptors leaked");
    }
}
