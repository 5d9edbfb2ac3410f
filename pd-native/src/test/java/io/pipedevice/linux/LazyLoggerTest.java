// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LazyLoggerTest {
    @Test
    void threadsThatLogFirstAtTheSameTimeAllGetALogger() throws Exception {
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

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatTheLogThrowsGoesNoFurther(boolean error) {
        String name = "throwing-" + error;
        Logger program = Logger.getLogger(name);
        AtomicInteger lines = new AtomicInteger();
        program.setUseParentHandlers(false);
        program.setFilter(record -> {
            lines.incrementAndGet();
            if (error) {
                throw new NoClassDefFoundError("of a log");
            }
            throw new IllegalStateException("a log that fails");
        });
        System.Logger logger = new LazyLogger(name).get();
        logger.log(System.Logger.Level.WARNING, "a line");
        logger.log(System.Logger.Level.WARNING, "a line of {0}", "parameters");
        logger.log(System.Logger.Level.WARNING, "a line", new IllegalStateException("a defect"));
        logger.log(System.Logger.Level.WARNING, () -> "a line");
        logger.log(System.Logger.Level.WARNING, () -> "a line", new IllegalStateException("a defect"));
        assertEquals(5, lines.get());
    }

    @Test
    void theLineComesFromTheCaller() {
        String name = "place";
        Logger program = Logger.getLogger(name);
        AtomicReference<String> place = new AtomicReference<>();
        program.setUseParentHandlers(false);
        program.setFilter(record -> {
            place.set(record.getSourceClassName());
            return false;
        });
        new LazyLogger(name).get().log(System.Logger.Level.WARNING, "a line");
        assertEquals(LazyLoggerTest.class.getName(), place.get());
    }

    @Test
    void aClassGivesItItsName() {
        assertEquals(
                LazyLoggerTest.class.getName(),
                new LazyLogger(LazyLoggerTest.class).get().getName());
    }
}
