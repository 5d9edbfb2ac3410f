// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.wait.BlockingWait;
import io.pipedevice.wait.Readiness;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Blocks a thread until a ring that the driver fills has an entry. The thread spins for a while, arms
 * ({@link ArmWord}), looks again, and sleeps until the driver rings; a virtual thread parks. Used by one thread at a
 * time.
 */
public final class RingWait extends BlockingWait<ThreadWaiter> {
    private static final int LOOKS_PER_CLOCK = 8;

    /**
     * The last generation of an arm word, of all waits of this process: a ring may have been another wait's before,
     * whose last word the driver has answered.
     */
    private static final AtomicInteger GENERATIONS = new AtomicInteger();

    /** A ring, and the word with which a thread announces that it is about to sleep until the driver fills it. */
    public interface Ring {
        /**
         * Whether there is an entry.
         *
         * @return true to end the wait
         */
        boolean isReady();

        /**
         * Publishes an arm word.
         *
         * @param word to store
         */
        void arm(long word);
    }

    private final DriverSession session;
    private final Ring ring;
    private int doorbell;

    RingWait(DriverSession session, Ring ring) {
        super(new Entries(ring), PdEpoll.IN, session.newSpinPolicy(), LOOKS_PER_CLOCK);
        this.session = session;
        this.ring = ring;
    }

    private record Entries(Ring ring) implements Readiness {
        @Override
        public int readiness(int wanted) {
            return ring.isReady() ? wanted : 0;
        }

        @Override
        public boolean waitsEnded() {
            return false;
        }
    }

    @Override
    protected boolean arm() {
        ring.arm(ArmWord.of(GENERATIONS.incrementAndGet(), doorbell, ArmWord.IN));
        return true;
    }

    @Override
    protected void disarm() {
        ring.arm(ArmWord.DISARMED);
    }

    @Override
    protected void requireAlive() throws PdException {
        session.link().check();
    }

    @Override
    protected ThreadWaiter takeBell() throws PdException {
        ThreadWaiter waiter = session.waiters().borrow();
        doorbell = waiter.doorbell;
        return waiter;
    }

    @Override
    protected void giveBell(ThreadWaiter borrowed) {
        session.waiters().giveBack(borrowed);
    }

    /** A driver's doorbell ends with the driver, which is an exception of the wait. */
    @Override
    protected void discardBell(ThreadWaiter ended) {
        throw new AssertionError("a doorbell that ends alone");
    }
}
