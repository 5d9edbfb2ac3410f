// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

final class SweeperTest {
    private static final Logger LOGGER = Logger.getLogger(Sweeper.class.getName());

    /** A link whose sweep does something. */
    private record Link(Runnable action) implements Sweeper.Swept {
        @Override
        public boolean sweep() {
            action.run();
            return false;
        }

        @Override
        public boolean receiveMessages() {
            return false;
        }

        @Override
        public boolean sweepSoon() {
            return true;
        }
    }

    private static Handler throwing(CountDownLatch logged) {
        return new Handler() {
            @Override
            public void publish(LogRecord record) {
                logged.countDown();
                throw new AssertionError("a log handler that fails");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    @Test
    void aLogHandlerThatThrowsDoesNotEndTheThread() throws InterruptedException {
        CountDownLatch logged = new CountDownLatch(1);
        CountDownLatch swept = new CountDownLatch(2);
        List<Throwable> escaped = new CopyOnWriteArrayList<>();
        Handler handler = throwing(logged);
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(handler);
        try {
            Sweeper sweeper = new Sweeper(
                    1,
                    task -> Thread.ofPlatform()
                            .daemon()
                            .uncaughtExceptionHandler((thread, e) -> escaped.add(e))
                            .unstarted(task));
            Link failing = new Link(() -> {
                swept.countDown();
                throw new IllegalStateException("a defect");
            });
            assertTrue(sweeper.later(failing));
            assertTrue(logged.await(1, TimeUnit.MINUTES));
            assertTrue(sweeper.later(new Link(swept::countDown)));
            assertTrue(swept.await(20, TimeUnit.SECONDS), () -> "the thread ended by " + escaped);
            assertEquals(List.of(), escaped);
        } finally {
            LOGGER.removeHandler(handler);
            LOGGER.setUseParentHandlers(true);
        }
    }
}
