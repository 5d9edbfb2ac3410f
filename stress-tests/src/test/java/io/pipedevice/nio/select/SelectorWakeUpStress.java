// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A thread calls a selector's wakeup while another goes to sleep in select. (false, false) is the bug, a lost wake-up:
 * the flag stays down, and select blocks.
 *
 * <p>Seen to fail when {@link WakeUp}'s word of the sleeper is not volatile.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The caller sees the sleeper, and raises the flag.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The selecting thread sees the call, and stays awake.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: the flag is raised once too often.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class SelectorWakeUpStress {
    private final WakeUp wakeUp = new WakeUp();

    /** The thread that calls wakeup. */
    @Actor
    public void caller(ZZ_Result result) {
        result.r1 = wakeUp.call();
    }

    /** The selecting thread. */
    @Actor
    public void selecting(ZZ_Result result) {
        result.r2 = !wakeUp.maySleep(() -> false);
    }
}
