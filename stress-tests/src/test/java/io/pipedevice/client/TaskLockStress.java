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
 * A thread leaves a task while another one holds the lock, or has just unlocked. The task adds 1, and so does the
 * holder. 2 is right; 1 is the bug: the task was left to nobody, or two threads were under the lock at once.
 *
 * <p>Seen to fail when {@link TaskLock#unlock} runs the tasks before it unlocks.
 */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "The task has run, under the lock.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The task has not run, or not under the lock.")
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

    /** The thread that leaves a task. */
    @Actor
    public void other() {
        lock.run(() -> done++);
    }

    /** Looks when both have ended. */
    @Arbiter
    public void look(I_Result result) {
        result.r1 = done;
    }
}
