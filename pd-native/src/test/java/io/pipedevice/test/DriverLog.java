// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import java.lang.System.Logger;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/** Records the log of the driver of this process, instead of printing it. */
public final class DriverLog extends Handler implements AutoCloseable {
    private static final long LIMIT_S = 30;
    private static final java.util.logging.Logger DRIVER = java.util.logging.Logger.getLogger("io.pipedevice.driver");

    private final SimpleFormatter formatter = new SimpleFormatter();
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean failing;
    private volatile Hold hold;

    public DriverLog() {
        DRIVER.setLevel(Level.ALL);
        DRIVER.setUseParentHandlers(false);
        DRIVER.addHandler(this);
    }

    /** Lets the driver print only warnings while no log records its messages. */
    public static void quiet() {
        if (DRIVER.getUseParentHandlers()) {
            DRIVER.setLevel(Level.WARNING);
        }
    }

    /** Whether a message of at least this level contains a text. */
    public boolean has(Logger.Level level, String text) {
        return messages(level).stream().anyMatch(message -> message.contains(text));
    }

    /** Messages of at least this level, oldest first. */
    public List<String> messages(Logger.Level level) {
        int least = Level.parse(level == Logger.Level.ERROR ? "SEVERE" : level.name())
                .intValue();
        return records.stream()
                .filter(record -> record.getLevel().intValue() >= least)
                .map(record ->
                        formatter.formatMessage(record) + (record.getThrown() == null ? "" : ": " + record.getThrown()))
                .toList();
    }

    /** Makes each message fail, as when the JVM lacks a resource that logging needs, or records them again. */
    public void failing(boolean on) {
        failing = on;
    }

    /** The number of messages that failed. */
    public int failures() {
        return failures.get();
    }

    /** Stops the thread that logs a message with this text, until the result is closed. */
    public Hold hold(String text) {
        hold = new Hold(text);
        return hold;
    }

    /** A thread that is stopped, or will be. */
    public static final class Hold implements AutoCloseable {
        private final String text;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        private Hold(String text) {
            this.text = text;
        }

        public void awaitReached() {
            await(reached);
        }

        private void pass(String message) {
            if (message.contains(text)) {
                reached.countDown();
                await(released);
            }
        }

        private static void await(CountDownLatch latch) {
            try {
                if (!latch.await(LIMIT_S, TimeUnit.SECONDS)) {
                    throw new AssertionError("waited in vain");
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            released.countDown();
        }
    }

    @Override
    public void publish(LogRecord record) {
        Hold held = hold;
        if (held != null) {
            held.pass(formatter.formatMessage(record));
        }
        if (failing) {
            failures.incrementAndGet();
            throw new NoClassDefFoundError("for a log");
        }
        records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        DRIVER.removeHandler(this);
        DRIVER.setUseParentHandlers(true);
        quiet();
    }
}
