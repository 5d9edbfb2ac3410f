// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.wait.BlockingWait;
import io.pipedevice.wait.Readiness;

/**
 * Blocks a thread until one direction of a socket is ready: the thread arms ({@link ArmWord}), and the driver rings.
 * The ring for a thread that parks goes to {@link Parking}.
 */
class DriverWait extends BlockingWait<ThreadWaiter> {
    private static final int LOOKS_PER_CLOCK = 8;

    private final DriverSession session;
    private final SocketSlot slot;
    private final int armOffset;
    private final int interest;

    /** The doorbell in the arm words. This field and the next two belong to the sleeping thread. */
    private int doorbell;

    private int armBits;
    private int generation;

    /** A wait for readiness of a socket, whose arm word for it is at an offset of its slot. */
    DriverWait(DriverSession session, SocketSlot slot, Readiness socket, int armOffset, int interest) {
        super(socket, interest, session.newSpinPolicy(), LOOKS_PER_CLOCK);
        this.session = session;
        this.slot = slot;
        this.armOffset = armOffset;
        this.interest = interest;
    }

    /** Writes what the driver has to know besides the arm word; called before each arming. */
    void beforeSleep() throws PdException {}

    /** A writer that waits for room is one end of a stream. */
    @Override
    protected long longestSpinNs() {
        return session.streamSpinNs();
    }

    @Override
    protected final boolean arm() throws PdException {
        if ((armBits & ArmWord.EVENT) != 0) {
            // Takes the event of the last arming out, so that the events of many armings never fill the ring.
            session.events().drain();
        }
        beforeSleep();
        slot.arm(armOffset, ArmWord.of(++generation, doorbell, interest | armBits));
        return true;
    }

    @Override
    protected final void disarm() {
        try {
            slot.arm(armOffset, ArmWord.DISARMED);
        } catch (IllegalStateException e) {
            // Closed meanwhile: the words are not this socket's any more, and the driver has stopped reading them.
            return;
        }
    }

    @Override
    protected final void requireAlive() throws PdException {
        session.link().check();
    }

    @Override
    protected final ThreadWaiter takeBell() throws PdException {
        ThreadWaiter waiter = session.takeWaiter();
        doorbell = waiter == null ? session.parking().number() : waiter.doorbell;
        armBits = waiter == null ? ArmWord.EVENT : 0;
        return waiter;
    }

    @Override
    protected final void giveBell(ThreadWaiter borrowed) {
        if (borrowed == null) {
            session.events().drain();
        } else {
            session.waiters().giveBack(borrowed);
        }
    }

    /** A driver's doorbell ends with the driver, which is an exception of the wait. */
    @Override
    protected final void discardBell(ThreadWaiter ended) {
        throw new AssertionError("a doorbell that ends alone");
    }
}
