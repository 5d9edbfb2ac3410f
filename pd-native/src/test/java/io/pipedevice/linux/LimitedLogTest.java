// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LimitedLogTest {
    private static final String NAME = LimitedLogTest.class.getName();
    private static final Logger LOGGER = Logger.getLogger(NAME);

    private final AtomicLong clock = new AtomicLong();
    private final List<String> lines = new ArrayList<>();
    private boolean failing;

    private final Handler handler = new Handler() {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord record) {
            if (failing) {
                throw new IllegalStateException("the log cannot be written");
            }
            lines.add(record.getLevel() + " " + formatter.formatMessage(record)
                    + (record.getThrown() == null
                            ? ""
                            : " " + record.getThrown().getMessage()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void record() {
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void stop() {
        LOGGER.removeHandler(handler);
    }

    private LimitedLog log(String format, int most) {
        return new LimitedLog(new LazyLogger(NAME), Level.WARNING, format, most, clock::get);
    }

    @Test
    void oneLineAMinuteIsLoggedAndTheNextOneShowsHowManyWereNot() {
        LimitedLog log = log("process {0} is refused: {1}", 1);
        for (int i = 1; i <= 20_000; i++) {
            log.log(i, "why");
        }
        clock.addAndGet(TimeUnit.MINUTES.toNanos(1) - 1);
        log.log(20_001, "why");
        assertEquals(List.of("WARNING process 1 is refused: why"), lines);
        clock.addAndGet(1);
        log.log(30_000, "why");
        assertEquals(
                "WARNING process 30000 is refused: why (and 20000 more of this kind since the line before)",
                lines.getLast());
        clock.addAndGet(TimeUnit.HOURS.toNanos(1));
        log.log(40_000, "why");
        assertEquals("WARNING process 40000 is refused: why", lines.getLast());
        assertEquals(3, lines.size());
    }

    @Test
    void moreLinesOfAWindowAreLoggedWhereTheyAreNormal() {
        LimitedLog log = log("{0} attached", 3);
        for (int i = 1; i <= 5; i++) {
            log.log(i);
        }
        assertEquals(3, lines.size());
        clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
        log.log(6);
        assertEquals("WARNING 6 attached (and 2 more of this kind since the line before)", lines.getLast());
    }

    @Test
    void aLineThatCannotBeWrittenIsTriedAgain() {
        LimitedLog log = log("{0} is detached", 1);
        failing = true;
        log.log(1);
        assertEquals(List.of(), lines);
        failing = false;
        log.log(1);
        assertEquals(List.of("WARNING 1 is detached"), lines);
    }

    @Test
    void anExceptionIsLoggedWithTheLine() {
        log("cannot handle {0}", 1).log(new IllegalStateException("a defect"), "message 1");
        assertEquals(List.of("WARNING cannot handle message 1 a defect"), lines);
    }

    @Test
    void aParameterMakesNoLineOfItsOwn() {
        LimitedLog log = log("region {0}", 2);
        log.log("a\nSEVERE: forged\u2028b");
        log.log("x".repeat(100_000));
        assertEquals("WARNING region a?SEVERE: forged?b", lines.getFirst());
        assertTrue(lines.getLast().length() < 1100);
    }
}
