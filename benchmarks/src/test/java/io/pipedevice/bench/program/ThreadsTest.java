// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadsTest {
    @Test
    void eachIndexHasAThread() throws Exception {
        CountDownLatch started = new CountDownLatch(3);
        AtomicInteger sum = new AtomicInteger();
        Threads.run(3, index -> {
            started.countDown();
            started.await();
            sum.addAndGet(index);
        });
        assertEquals(3, sum.get());
    }

    @Test
    void threadsThatWaitForOneThatCannotBeCreatedAreReleased() {
        CountDownLatch started = new CountDownLatch(3);
        AtomicInteger created = new AtomicInteger();
        ThreadFactory two = task -> {
            if (created.incrementAndGet() > 2) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return new Thread(task);
        };
        IOException failed = assertThrows(
                IOException.class,
                () -> Threads.run(3, two, index -> {
                    started.countDown();
                    started.await();
                }));
        assertTrue(failed.getMessage().startsWith("only 2 of 3 threads could be created: unable"), failed::getMessage);
    }
}
