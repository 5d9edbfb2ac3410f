// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * One thread has begun an operation and handed its lock to a second one, which continues the operation, while a third
 * waits for the lock. 1 is the bug: the third came between the two, or does not see everything that they did.
 *
 * <p>Seen to fail when {@link HandOffLock#handOff} admits the next waiting thread, and {@link HandOffLock#takeOver}
 * acquires the lock anew.
 */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "The third thread came last.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The third thread came between the others.")
@State
public class HandOffLockStress {
    private final HandOffLock turn = new HandOffLock();
    private int done;

    /** The first thread has done half of the operation. */
    public HandOffLockStress() {
        turn.lock();
        done++;
        turn.handOff();
    }

    /** The thread that continues. */
    @Actor
    public void second() {
        turn.takeOver();
        done++;
        turn.unlock();
    }

    /** The thread that waits for the lock. */
    @Actor
    public void third(I_Result result) {
        turn.lock();
        result.r1 = done;
        turn.unlock();
    }
}
