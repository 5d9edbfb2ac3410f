// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The machine's wall clock at one moment, and its restoration by means of the monotonic clock, which cannot be set. */
final class WallClock {
    private static final long WRONG_MS = 1500;

    private final Instant then = Instant.now();
    private final long thenNanos = System.nanoTime();

    private WallClock() {}

    /** Whether this user may set it: the superuser may, but perhaps not in a container. */
    static boolean maySet() throws IOException, InterruptedException {
        try (Program date = Program.start("date", shift(Duration.ZERO))) {
            return date.leave() == 0;
        }
    }

    /** Moves the clock; it is right again when this returns, or when the JVM ends earlier. */
    static void step(int seconds) throws IOException, InterruptedException {
        WallClock right = new WallClock();
        Thread last = new Thread(right::setAtTheEnd, "sets the clock");
        Runtime.getRuntime().addShutdownHook(last);
        try {
            set(Duration.ofSeconds(seconds));
            TimeUnit.MILLISECONDS.sleep(WRONG_MS);
        } finally {
            right.set();
            Runtime.getRuntime().removeShutdownHook(last);
        }
    }

    private void set() throws IOException, InterruptedException {
        Instant right = then.plusNanos(System.nanoTime() - thenNanos);
        set(Duration.between(Instant.now(), right));
    }

    private void setAtTheEnd() {
        try {
            set();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void set(Duration shift) throws IOException, InterruptedException {
        Command.run(shift(shift).toArray(String[]::new));
    }

    /** Sets the clock by a difference, so that the time to start the command does not matter. */
    private static List<String> shift(Duration shift) {
        return List.of("date", "-s", BigDecimal.valueOf(shift.toNanos(), 9).toPlainString() + " seconds");
    }
}
