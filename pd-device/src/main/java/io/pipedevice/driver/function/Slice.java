// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.message.MessageRun;
import io.pipedevice.driver.share.Share;

/**
 * How many instructions a call of a function has at a time. Code that was not compiled by the JVM takes a hundred times
 * as long as code that was, and some code never is: so the slice follows from what the last one took, and begins with
 * the least. Belongs to the driver's thread.
 */
final class Slice {
    /** The most instructions of a slice; most code takes less than a microsecond for them. */
    private static final int MOST = 2048;

    private static final int LEAST = (int) MessageRun.LEAST_FUEL;

    /** A slice that takes longer makes the next one shorter. */
    private static final long MOST_NS = Share.SOCKET_TURN_NS / 2;

    private int instructions = LEAST;

    int instructions() {
        return instructions;
    }

    /** A slice has taken a time, and was used to its end, or not. */
    void took(long ns, boolean whole) {
        if (ns > MOST_NS) {
            instructions = (int) Math.max(LEAST, instructions * MOST_NS / ns);
        } else if (whole && ns < MOST_NS / 2) {
            instructions = Math.min(MOST, 2 * instructions);
        }
    }
}
