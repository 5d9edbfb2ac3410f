// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.wait.BlockingWait;

/**
 * Blocks one direction of a socket of which the driver tells ({@link ArmWord}). For a thread that parks {@link Parking} hears
 * it.
 */
class DriverWait extends BlockingWait<ThreadWaiter> {
    private static final int LOOKS_PER_CLOCK = 8;

    private final SocketCore core;
    private final int armOffset;
    private final int interest;

    /** What the sleeping thread's arm words name, and ask for besides the interest; the sleeping thread's, as the next. */
    private int doorbell;

    private int armBits;
    private int generation;

    DriverWait(SocketCore core, int armOffset, int interest) {
        super(core, interest, core.attachment.newSpinPolicy(), LOOKS_PER_CLOCK);
        this.core = core;
        this.armOffset = armOffset;
        this.interest = interest;
    }

    /** Says what the driver has to know besides the arm word; called before each arming. */
    void beforeSleep() throws PdException {}

    @Override
    protected final boolean arm() throws PdException {
        if ((armBits & ArmWord.EVENT) != 0) {
            // The event that the last arming may have brought is taken out, so that those of many armings never fill
            // the
            // ring.
            core.attachment.events().drain();
        }
        beforeSleep();
        core.slot.arm(armOffset, ArmWord.of(++generation, doorbell, interest | armBits));
        return true;
    }

    @Override
    protected final void disarm() {
        try {
            core.slot.arm(armOffset, ArmWord.DISARMED);
        } catch (IllegalStateException e) {
            // Closed meanwhile: the words are not this socket's any more, and the driver looks at them no longer.
            return;
        }
    }

    @Override
    protected final void requireAlive() throws PdException {
        core.attachment.link().check();
    }

    @Override
    protected final ThreadWaiter takeBell() throws PdException {
        ThreadWaiter waiter = core.attachment.takeWaiter();
        doorbell = waiter == null ? core.attachment.parking().number() : waiter.doorbell;
        armBits = waiter == null ? ArmWord.EVENT : 0;
        return waiter;
    }

    @Override
    protected final void giveBell(ThreadWaiter borrowed) {
        if (borrowed == null) {
            core.attachment.events().drain();
        } else {
            core.attachment.waiters().giveBack(borrowed);
        }
    }

    /** The end of a driver's doorbell is that of the driver, and an exception. */
    @Override
    protected final void discardBell(ThreadWaiter ended) {
        throw new AssertionError("a doorbell that ends alone");
    }
}
