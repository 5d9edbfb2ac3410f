// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The word with which PD Driver announces that it is about to sleep. Odd means asleep. The word grows by one at each
 * change, so that a thread that rings the doorbell can distinguish this sleep from the previous one, and rings once for
 * each.
 *
 * <p>Sleeper: {@link #announce}, look for work again, block, {@link #awake}. Waker: publish the work, then
 * {@link #sleeping}. Both fence between their store and their load. If one of the fences is missing, a wake-up can be
 * lost.
 */
public final class SleepWord {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private SleepWord() {}

    /**
     * Announces sleep. The caller looks for work once more after this call and before it blocks.
     *
     * @param memory writable; only the sleeping thread writes the word
     * @param offset of the word
     */
    public static void announce(MemorySegment memory, long offset) {
        long value = (long) WORD.get(memory, offset);
        WORD.setRelease(memory, offset, value | 1);
        VarHandle.fullFence();
    }

    /**
     * Ends the sleep, or the announcement of one.
     *
     * @param memory writable; only the sleeping thread writes the word
     * @param offset of the word
     */
    public static void awake(MemorySegment memory, long offset) {
        long value = (long) WORD.get(memory, offset);
        if ((value & 1) != 0) {
            WORD.setRelease(memory, offset, value + 1);
        }
    }

    /**
     * Checks whether the other side sleeps, after the caller's work was published.
     *
     * @param memory the word's page
     * @param offset of the word
     * @return the odd number of this sleep, or 0 if it is awake
     */
    public static long sleeping(MemorySegment memory, long offset) {
        VarHandle.fullFence();
        long value = (long) WORD.getAcquire(memory, offset);
        return (value & 1) == 0 ? 0 : value;
    }
}
