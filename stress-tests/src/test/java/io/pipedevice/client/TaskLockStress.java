// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Two threads leave a task while a third one holds the lock, or has just unlocked. Each task adds 1, and so does the
 * holder. 3 is right; less is the bug: a task was left to nobody, or two threads were under the lock at once.
 *
 * <p>Seen to fail when {@link TaskLock#unlock} runs the tasks before it unlocks.
 */
@JCStressTest
@Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "Each task has run, under the lock.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A task has not run, or not under the lock.")
@State
public class TaskLockStress {
    private final TaskLock lock = new TaskLock();
    private int done;

    /** The thread that holds the lock. */
    @Actor
    public void holder() {
        lock.lock();
        done++;
        lock.unlock();
    }

    /** A thread that leaves a task. */
    @Actor
    public void first() {
        lock.run(() -> done++);
    }

    /** Another one. */
    @Actor
    public void second() {
        lock.run(() -> done++);
    }

    /** Looks when all have ended. */
    @Arbiter
    public void look(I_Result result) {
        result.r1 = done;
    }
}
