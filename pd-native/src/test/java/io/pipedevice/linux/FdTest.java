// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FdTest {
    @Test
    void closeTakesEffectWhenTheLastUseIsReleased() throws LinuxException {
        Fd fd = open();
        int first = fd.acquire();
        int second = fd.acquire();
        assertEquals(first, second);
        fd.close();
        assertFalse(fd.isOpen());
        assertEquals(-1, fd.number());
        assertTrue(TestCalls.isOpen(first));
        fd.release();
        assertTrue(TestCalls.isOpen(first));
        fd.release();
        assertFalse(TestCalls.isOpen(first));
    }

    @Test
    void refusesUsesAfterClose() throws LinuxException {
        Fd fd = open();
        int number = fd.acquire();
        fd.close();
        LinuxException e = assertThrows(LinuxException.class, fd::acquire);
        assertEquals(Errno.EBADF, e.errno());
        fd.release();
        assertFalse(TestCalls.isOpen(number));
        assertThrows(LinuxException.class, fd::acquire);
    }

    @Test
    void closingTwiceDoesNotCloseSomebodyElsesDescriptor() throws LinuxException {
        Fd fd = open();
        int number = fd.number();
        fd.close();
        try (Fd other = open()) {
            assertEquals(number, other.number(), "the kernel gives the lowest free number");
            fd.close();
            assertTrue(TestCalls.isOpen(number));
        }
    }

    @Test
    void noticesAReleaseTooMany() throws LinuxException {
        try (Fd fd = open()) {
            int number = fd.acquire();
            fd.release();
            assertThrows(IllegalStateException.class, fd::release);
            assertTrue(fd.isOpen());
            assertEquals(number, fd.acquire());
            fd.release();
        }
    }

    @Test
    void refusesWhatIsNoDescriptor() {
        assertThrows(IllegalArgumentException.class, () -> Fd.own(-1));
    }

    @Test
    void numberIsNeverFreeDuringAUse() throws Exception {
        int threads = 3;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < 100; round++) {
                Fd fd = open();
                int number = fd.number();
                CountDownLatch started = new CountDownLatch(threads);
                List<Future<Integer>> users = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    users.add(executor.submit(() -> use(fd, started)));
                }
                started.await();
                fd.close();
                for (Future<Integer> user : users) {
                    assertTrue(user.get() > 0);
                }
                assertFalse(TestCalls.isOpen(number), "still open after the last use");
            }
        } finally {
            executor.shutdownNow();
        }
    }

    /**
     * Uses a descriptor until it is closed, and returns the number of uses; fails if the number was not open during a
     * use.
     */
    private static int use(Fd fd, CountDownLatch started) {
        int uses = 0;
        while (true) {
            int number = fd.tryAcquire();
            if (number < 0) {
                return uses;
            }
            boolean open = TestCalls.isOpen(number);
            fd.release();
            if (!open) {
                throw new AssertionError("closed during a use");
            }
            if (uses++ == 0) {
                started.countDown();
            }
        }
    }

    private static Fd open() throws LinuxException {
        return EventFd.open().fd();
    }
}
