// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.stress.Rendezvous;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Two threads begin to spin where one may. (false, false) is the bug: both go on. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both end.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The second one ends.")
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The second one ends.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Nobody sees the crowd.")
@State
public class SpinnersStress {
    private final Rendezvous start = new Rendezvous();
    private final Spinners spinners = new Spinners(1);
    private final long now = System.nanoTime();

    /** Creates it without threads that spin. */
    public SpinnersStress() {}

    private boolean spin() {
        start.meet();
        spinners.enter(now);
        return spinners.isCrowded(now);
    }

    /** Spins. */
    @Actor
    public void one(ZZ_Result result) {
        result.r1 = spin();
    }

    /** Spins. */
    @Actor
    public void other(ZZ_Result result) {
        result.r2 = spin();
    }
}
