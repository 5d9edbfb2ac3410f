// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The interest of a key that is already queued changes while the selecting thread takes the queue. (0, -1) is the bug:
 * the selecting thread saw the old interest, and the key is not queued again. It appears when a key leaves the queue
 * without the order of a volatile write ({@link KeyQueue#next}).
 */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The change came later, and the key is queued again.")
@Outcome(id = "1, -1", expect = Expect.ACCEPTABLE, desc = "The change was seen.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The change was seen, and the key is queued once too often.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The change is lost.")
@State
public class KeyQueueStress {
    private final KeyQueue changes = new KeyQueue();
    private final KeyQueue.Link link = new KeyQueue.Link(null);
    private volatile int interest;

    /** A key that is queued for an earlier change. */
    public KeyQueueStress() {
        changes.add(link);
    }

    /** The thread that changes the interest. */
    @Actor
    public void change() {
        interest = 1;
        changes.add(link);
    }

    /** The selecting thread. */
    @Actor
    public void select(II_Result result) {
        result.r1 = take();
    }

    /** The next select. */
    @Arbiter
    public void selectAgain(II_Result result) {
        result.r2 = take();
    }

    private int take() {
        KeyQueue.Link taken = changes.takeAll();
        if (taken == null) {
            return -1;
        }
        KeyQueue.next(taken);
        return interest;
    }
}
