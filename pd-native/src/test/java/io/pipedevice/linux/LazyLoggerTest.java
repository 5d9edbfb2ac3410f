// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class LazyLoggerTest {
    @Test
    void threadsThatSpeakFirstAtOnceAllHaveALogger() throws Exception {
        for (int round = 0; round < 100; round++) {
            String name = "lazy-" + round;
            LazyLogger lazy = new LazyLogger(name);
            CyclicBarrier start = new CyclicBarrier(2);
            Callable<System.Logger> speaker = () -> {
                start.await();
                return lazy.get();
            };
            try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
                Future<System.Logger> one = threads.submit(speaker);
                Future<System.Logger> other = threads.submit(speaker);
                assertEquals(name, one.get().getName());
                assertEquals(name, other.get().getName());
            }
            assertSame(lazy.get(), lazy.get());
        }
    }

    @Test
    void aClassGivesItItsName() {
        assertEquals(
                LazyLoggerTest.class.getName(),
                new LazyLogger(LazyLoggerTest.class).get().getName());
    }
}
