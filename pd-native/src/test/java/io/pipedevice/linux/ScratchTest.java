// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ScratchTest {
    private static final int THREADS = 16;
    private static final int CALLS = 20_000;

    @Test
    void aCallWithinACallHasItsOwn() {
        Scratch first;
        try (Scratch outer = Scratch.borrow()) {
            first = outer;
            try (Scratch inner = Scratch.borrow()) {
                assertNotSame(outer, inner);
                assertNotEquals(outer.buffer().address(), inner.buffer().address());
                assertNotEquals(outer.state().address(), inner.state().address());
            }
        }
        try (Scratch again = Scratch.borrow()) {
            assertSame(first, again);
        }
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck")
    void noTwoThreadsHaveTheSameOne() throws Exception {
        AtomicInteger disturbed = new AtomicInteger();
        // There are more threads than lists, so that some threads share a list.
        List<Thread> threads = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(1);
        for (int i = 0; i < 8 * THREADS; i++) {
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                for (int call = 0; call < CALLS / THREADS; call++) {
                    long mine = ThreadLocalRandom.current().nextLong();
                    try (Scratch scratch = Scratch.borrow()) {
                        scratch.buffer().set(ValueLayout.JAVA_LONG, 0, mine);
                        if (call % 16 == 0) {
                            Thread.yield();
                        }
                        if (scratch.buffer().get(ValueLayout.JAVA_LONG, 0) != mine) {
                            disturbed.incrementAndGet();
                        }
                    }
                }
            }));
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(0, disturbed.get());
    }

    @Test
    void errnoIsPerThread() throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Integer>> all = IntStream.range(0, THREADS)
                    .mapToObj(i -> pool.submit(() -> wrongErrnos(i % 2 == 0)))
                    .toList();
            for (Future<Integer> wrong : all) {
                assertEquals(0, wrong.get());
            }
        }
    }

    private static int wrongErrnos(boolean bad) {
        int expected = bad ? -Errno.EBADF : -Errno.EINVAL;
        int wrong = 0;
        for (int i = 0; i < CALLS; i++) {
            // An invalid descriptor, or flags that epoll_create1(2) refuses.
            int result = bad ? SocketCalls.listen(-1, 1) : WaitCalls.epollCreate(-1);
            wrong += result == expected ? 0 : 1;
        }
        return wrong;
    }
}
