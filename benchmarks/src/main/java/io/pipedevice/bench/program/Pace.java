// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * When a sender may send. A sender at a fixed rate sends what is due once in a millisecond and sleeps meanwhile, as
 * iperf does: a sleep before each message would cost more than the message. Used by the thread that sends.
 */
public final class Pace {
    /** The fixed rate: slow enough for kernel TCP. */
    public static final long BYTES_PER_SECOND = 1_000_000_000;

    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final boolean isFixed;
    private long begin;

    /** The number of bytes that are due until the next look at the clock. */
    private long due;

    private Pace(boolean isFixed) {
        this.isFixed = isFixed;
        this.due = isFixed ? 0 : Long.MAX_VALUE;
    }

    /** The pace of a kind of traffic. */
    static Pace of(Kind kind) {
        return new Pace(kind == Kind.PACED_STREAM);
    }

    /** Whether the next message is due, after so many bytes. */
    boolean isDue(long done) {
        if (done < due || !isFixed) {
            return true;
        }
        long now = System.nanoTime();
        if (begin == 0) {
            begin = now - STEP_NS;
        }
        due = (now - begin) / STEP_NS * (BYTES_PER_SECOND / TimeUnit.SECONDS.toMillis(1));
        return done < due;
    }

    /** Nanoseconds until more is due. */
    long nanosLeft() {
        return STEP_NS - (System.nanoTime() - begin) % STEP_NS;
    }

    /** Sleeps until more is due, or less. */
    void sleep() {
        LockSupport.parkNanos(nanosLeft());
    }
}
