// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The pauses of a thread that looks again and again for the answer of a server with which there is a link. */
final class AnswerPauses {
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(10);
    private static final long YIELD_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SHORTEST_SLEEP_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private AnswerPauses() {}

    /** Whether the pause after this time is a yield, which keeps the processor busy if no other thread wants it. */
    static boolean isYield(long waited) {
        return waited > SPIN_NS && waited < YIELD_NS;
    }

    /** Waits a little: the server does not ring, because it takes some microseconds if it is awake. */
    @SuppressWarnings("ThreadPriorityCheck") // the server may need this thread's processor
    static void pause(long waited) {
        if (waited < SPIN_NS) {
            Thread.onSpinWait();
        } else if (waited < YIELD_NS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(Math.clamp(waited >> 2, SHORTEST_SLEEP_NS, LONGEST_SLEEP_NS));
        }
    }
}
