// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * Two threads call wakeup while a third goes to sleep in select: the second caller leaves the flag to the first. All false
 * is the bug: nobody raises the flag, and select blocks. It appears when {@link WakeUp#call} looks for the sleeper before
 * it says that it called.
 */
@JCStressTest
@Outcome(id = "false, false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@Outcome(id = "true, true, .*", expect = Expect.FORBIDDEN, desc = "One call raises the flag, the others rely on it.")
@Outcome(expect = Expect.ACCEPTABLE, desc = "Somebody raises the flag, or the selecting thread stays awake.")
@State
public class SelectorTwoWakeUpsStress {
    private final WakeUp wakeUp = new WakeUp();

    /** One that calls wakeup. */
    @Actor
    public void first(ZZZ_Result result) {
        result.r1 = wakeUp.call();
    }

    /** Another one. */
    @Actor
    public void second(ZZZ_Result result) {
        result.r2 = wakeUp.call();
    }

    /** The selecting thread. */
    @Actor
    public void selecting(ZZZ_Result result) {
        wakeUp.announce();
        result.r3 = wakeUp.isCalled();
    }
}
