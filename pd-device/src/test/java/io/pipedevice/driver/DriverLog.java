// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import java.lang.System.Logger;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/** Keeps what the driver of this process logs, instead of printing it. */
final class DriverLog extends Handler implements AutoCloseable {
    private static final java.util.logging.Logger DRIVER = java.util.logging.Logger.getLogger("io.pipedevice.driver");

    private final SimpleFormatter formatter = new SimpleFormatter();
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean failing;

    DriverLog() {
        DRIVER.setLevel(Level.ALL);
        DRIVER.setUseParentHandlers(false);
        DRIVER.addHandler(this);
    }

    /** Lets the driver print warnings only, as long as no log keeps them. */
    static void quiet() {
        if (DRIVER.getUseParentHandlers()) {
            DRIVER.setLevel(Level.WARNING);
        }
    }

    /** Whether a message of at least this level contains a text. */
    boolean has(Logger.Level level, String text) {
        return messages(level).stream().anyMatch(message -> message.contains(text));
    }

    /** Messages of at least this level, oldest first. */
    List<String> messages(Logger.Level level) {
        int least = Level.parse(level == Logger.Level.ERROR ? "SEVERE" : level.name())
                .intValue();
        return records.stream()
                .filter(record -> record.getLevel().intValue() >= least)
                .map(record ->
                        formatter.formatMessage(record) + (record.getThrown() == null ? "" : ": " + record.getThrown()))
                .toList();
    }

    /** Whether each message is to fail instead of being kept, as when the JVM lacks something that a log needs. */
    void failing(boolean on) {
        failing = on;
    }

    /** How many messages failed. */
    int failures() {
        return failures.get();
    }

    @Override
    public void publish(LogRecord record) {
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
