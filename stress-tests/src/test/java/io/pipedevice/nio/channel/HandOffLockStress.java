// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A thread has begun an operation and left its turn to another, which continues it while a third waits for its own
 * turn. 1 is the bug: the third came in between, or does not see everything that was done.
 *
 * <p>Seen to fail when {@link HandOffLock#handOff} lets the next one in, and {@link HandOffLock#takeOver} waits for its turn
 * again.
 */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "The third came last.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The third came between.")
@State
public class HandOffLockStress {
    private final HandOffLock turn = new HandOffLock();
    private int done;

    /** The first thread has done half. */
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

    /** The thread that waits. */
    @Actor
    public void third(I_Result result) {
        turn.lock();
        result.r1 = done;
        turn.unlock();
    }
}
