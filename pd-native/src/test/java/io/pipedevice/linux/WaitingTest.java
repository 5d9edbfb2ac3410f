// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.test.Together;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** EventFd, Epoll and Poll. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitingTest {
    private static final int ROUNDS = 2000;
    private static final int OVER = Together.THREADS;

    private EventFd event;
    private Epoll epoll;
    private final Epoll.Events events = new Epoll.Events(4);

    @BeforeEach
    void open() throws IOException {
        event = EventFd.open();
        epoll = Epoll.open();
    }

    @AfterEach
    void close() {
        event.close();
        epoll.close();
    }

    @Test
    void eventStaysRaisedUntilItIsDrained() throws IOException {
        assertFalse(event.drain());
        assertTrue(event.signal());
        assertTrue(event.signal());
        assertTrue(event.drain());
        assertFalse(event.drain());
        event.close();
        assertFalse(event.signal());
        assertFalse(event.drain());
    }

    @Test
    void epollReportsEventsWithTheirData() throws IOException {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.STREAM);
        epoll.add(event.fd(), Epoll.IN, 0x1122334455667788L);
        epoll.add(pair[0].fd(), Epoll.IN | Epoll.RDHUP, -1);
        assertEquals(0, epoll.await(events, 0));
        event.signal();
        assertEquals(1, epoll.await(events, -1));
        assertEquals(0x1122334455667788L, events.data(0));
        assertEquals(Epoll.IN, events.events(0));
        assertThrows(IndexOutOfBoundsException.class, () -> events.data(1));
        pair[1].close();
        assertEquals(2, epoll.await(events, 1000));
        int index = events.data(0) == -1 ? 0 : 1;
        assertEquals(0x1122334455667788L, events.data(1 - index));
        assertEquals(Epoll.IN | Epoll.RDHUP | Epoll.HUP, events.events(index));
        epoll.remove(pair[0].fd());
        pair[0].close();
    }

    @Test
    void epollReportsNoMoreThanThereIsRoomFor() throws IOException {
        Epoll.Events one = new Epoll.Events(1);
        try (EventFd second = EventFd.open()) {
            epoll.add(event.fd(), Epoll.IN, 1);
            epoll.add(second.fd(), Epoll.IN, 2);
            event.signal();
            second.signal();
            assertEquals(1, epoll.await(one, 0));
            long first = one.data(0);
            assertEquals(1, epoll.await(one, 0));
            assertEquals(3, first + one.data(0), "the kernel takes turns");
        }
        assertThrows(IllegalArgumentException.class, () -> new Epoll.Events(0));
    }

    @Test
    void edgeTriggeredAndOneShotReportOnce() throws IOException {
        epoll.add(event.fd(), Epoll.IN | Epoll.ET, 1);
        event.signal();
        assertEquals(1, epoll.await(events, 0));
        assertEquals(0, epoll.await(events, 0));
        event.signal();
        assertEquals(1, epoll.await(events, 0));
        epoll.modify(event.fd(), Epoll.IN | Epoll.ONESHOT, 2);
        assertEquals(1, epoll.await(events, 0));
        assertEquals(2, events.data(0));
        event.signal();
        assertEquals(0, epoll.await(events, 0));
        epoll.modify(event.fd(), Epoll.IN, 3);
        assertEquals(1, epoll.await(events, 0));
        assertEquals(1, epoll.await(events, 0));
    }

    @Test
    void epollNamesMistakes() throws IOException {
        assertErrno(Errno.ENOENT, () -> epoll.modify(event.fd(), Epoll.IN, 0));
        assertErrno(Errno.ENOENT, () -> epoll.remove(event.fd()));
        epoll.add(event.fd(), Epoll.IN, 0);
        assertErrno(Errno.EEXIST, () -> epoll.add(event.fd(), Epoll.IN, 0));
        try (Fd memory = MemoryTest.file("no-epoll")) {
            assertErrno(Errno.EPERM, () -> epoll.add(memory, Epoll.IN, 0));
        }
        event.close();
        assertErrno(Errno.EBADF, () -> epoll.add(event.fd(), Epoll.IN, 0));
        epoll.close();
        assertErrno(Errno.EBADF, () -> epoll.await(events, 0));
    }

    @Test
    void epollWaitsAsLongAsItShould() throws Exception {
        epoll.add(event.fd(), Epoll.IN, 0);
        long start = System.nanoTime();
        assertEquals(0, epoll.await(events, 30));
        assertTrue(System.nanoTime() - start >= 29_000_000);
        Thread signaller = Thread.ofPlatform().start(() -> {
            pause();
            event.signal();
        });
        assertEquals(1, epoll.await(events, Long.MAX_VALUE));
        signaller.join();
        Epoll outer = Epoll.open();
        outer.add(epoll.fd(), Epoll.IN, 5);
        assertEquals(1, outer.await(events, 0));
        outer.close();
    }

    @Test
    void pollReportsEachDescriptor() throws IOException {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        Poll poll = new Poll(3);
        assertEquals(0, poll.add(event.fd(), Poll.IN));
        assertEquals(1, poll.add(pair[0].fd(), (short) (Poll.IN | Poll.OUT)));
        assertEquals(1, poll.await(-1));
        assertEquals(0, poll.returned(0));
        assertEquals(Poll.OUT, poll.returned(1));
        event.signal();
        pair[1].ring();
        assertEquals(2, poll.await(0));
        assertEquals(Poll.IN, poll.returned(0));
        assertEquals(Poll.IN | Poll.OUT, poll.returned(1));
        poll.events(1, Poll.RDHUP);
        event.drain();
        pair[1].close();
        assertEquals(1, poll.await(0));
        assertEquals(0, poll.returned(0));
        assertEquals(Poll.RDHUP | Poll.HUP, poll.returned(1));
        pair[0].close();
        assertErrno(Errno.EBADF, () -> poll.await(0));
        assertThrows(IndexOutOfBoundsException.class, () -> poll.returned(2));
        poll.clear();
        assertEquals(0, poll.add(event.fd(), Poll.IN));
        assertEquals(0, poll.await(0));
        event.close();
        assertFalse(TestCalls.isOpen(event.fd().number()));
    }

    @Test
    void pollHoldsNoMoreThanItsCapacity() {
        Poll poll = new Poll(1);
        poll.add(event.fd(), Poll.IN);
        assertThrows(IndexOutOfBoundsException.class, () -> poll.add(event.fd(), Poll.IN));
        assertThrows(IllegalArgumentException.class, () -> new Poll(0));
    }

    @Test
    void descriptorClosedDuringAPollStaysUntilThePollReturns() throws Exception {
        EventFd other = EventFd.open();
        int number = other.fd().number();
        Poll poll = new Poll(2);
        poll.add(event.fd(), Poll.IN);
        poll.add(other.fd(), Poll.IN);
        FutureTask<Boolean> closer = start(() -> {
            while (other.fd().users() == 0) {
                Thread.onSpinWait();
            }
            pause();
            other.close();
            boolean stays = TestCalls.isOpen(number);
            event.signal();
            return stays;
        });
        assertEquals(1, poll.await(-1));
        assertTrue(closer.get());
        assertFalse(TestCalls.isOpen(number));
    }

    private static <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    /** Stores the round with which each thread's descriptor was reported. Returns the number of reports. */
    private int collect(AtomicIntegerArray rounds) throws IOException {
        for (int reports = 0; ; ) {
            int count = epoll.await(events, -1);
            for (int i = 0; i < count; i++) {
                int thread = (int) (events.data(i) >>> 32);
                if (thread == OVER) {
                    return reports;
                }
                assertEquals(Epoll.IN, events.events(i));
                rounds.set(thread, (int) events.data(i));
                reports++;
            }
        }
    }

    @Test
    void severalThreadsChangeTheSetWhileOneWaits() throws Exception {
        AtomicIntegerArray rounds = new AtomicIntegerArray(Together.THREADS);
        epoll.add(event.fd(), Epoll.IN, (long) OVER << 32);
        FutureTask<Integer> waiting = start(() -> collect(rounds));
        Together.run(thread -> {
            long data = (long) thread << 32;
            try (EventFd own = EventFd.open()) {
                own.signal();
                for (int round = 1; round < ROUNDS; round += 2) {
                    epoll.add(own.fd(), Epoll.IN | Epoll.ONESHOT, data + round);
                    awaitRound(rounds, thread, round);
                    epoll.modify(own.fd(), Epoll.IN | Epoll.ONESHOT, data + round + 1);
                    awaitRound(rounds, thread, round + 1);
                    epoll.remove(own.fd());
                }
            }
        });
        event.signal();
        assertEquals(Together.THREADS * ROUNDS, waiting.get(), "each once");
    }

    private static void awaitRound(AtomicIntegerArray rounds, int thread, int round) {
        while (rounds.get(thread) != round) {
            Thread.onSpinWait();
        }
    }

    @Test
    void writesBeforeASignalOfAnyThreadAreVisibleAfterTheWakeUp() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger received = new AtomicInteger();
        epoll.add(event.fd(), Epoll.IN, 0);
        FutureTask<Integer> listening = start(() -> {
            while (received.get() < Together.THREADS * ROUNDS) {
                epoll.await(events, -1);
                event.drain();
                received.set(sent.get());
            }
            return received.get();
        });
        Together.run(thread -> {
            for (int i = 0; i < ROUNDS; i++) {
                int mine = sent.incrementAndGet();
                assertTrue(event.signal());
                while (received.get() < mine) {
                    LockSupport.parkNanos(1);
                }
            }
        });
        assertEquals(Together.THREADS * ROUNDS, listening.get());
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void assertErrno(int errno, org.junit.jupiter.api.function.Executable call) {
        assertEquals(Errno.name(errno), assertThrows(LinuxException.class, call).errnoName());
    }
}
