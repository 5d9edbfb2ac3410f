// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.memory.ArmWord;
import java.lang.invoke.VarHandle;

/**
 * Blocks one direction of a socket until there is news: looks for a while, then arms, fences, looks again, and only then
 * sleeps ({@link ArmWord}). Used by one thread at a time; {@link #wake} by any.
 */
abstract class Sleeper implements SpinBudget.Look {
    private final SocketCore core;
    private final SocketSlot slot;
    private final int armOffset;
    private final int interest;
    private final SpinBudget spin;
    private volatile Waiter waiter;
    private int generation;

    Sleeper(SocketCore core, int armOffset, int interest) {
        this.core = core;
        this.slot = core.slot;
        this.armOffset = armOffset;
        this.interest = interest;
        this.spin = core.attachment.newSpinBudget();
    }

    /** Called before each look that is followed by sleep. */
    void beforeSleep() throws PdException {}

    /**
     * Waits for news.
     *
     * @param timeoutNs longest time, {@link Long#MAX_VALUE} for ever
     * @return whether {@link #isReady} held; false after the timeout
     */
    final boolean await(long timeoutNs) throws PdException {
        long start = System.nanoTime();
        try {
            return spin.spin(this) || (timeoutNs > 0 && sleep(start, timeoutNs));
        } catch (IllegalStateException e) {
            core.checkStillOpen();
            throw e;
        }
    }

    private boolean sleep(long start, long timeoutNs) throws PdException {
        Waiter mine = core.attachment.newWaiter();
        waiter = mine;
        try {
            while (true) {
                core.checkStillOpen();
                beforeSleep();
                slot.arm(armOffset, ArmWord.of(++generation, mine.doorbell, interest | mine.armBits()));
                VarHandle.fullFence();
                if (isReady()) {
                    return true;
                }
                core.attachment.link().check();
                long left = timeoutNs == Long.MAX_VALUE ? timeoutNs : timeoutNs - (System.nanoTime() - start);
                if (left <= 0) {
                    return false;
                }
                mine.sleep(left);
            }
        } finally {
            waiter = null;
            disarm();
            mine.leave();
        }
    }

    private void disarm() {
        try {
            slot.arm(armOffset, ArmWord.DISARMED);
        } catch (IllegalStateException e) {
            // Closed meanwhile: the words are not this socket's any more, and the driver looks at them no longer.
            return;
        }
    }

    /** Makes the sleeping thread look again. */
    final void wake() {
        Waiter sleeping = waiter;
        if (sleeping != null) {
            sleeping.signal();
        }
    }
}
