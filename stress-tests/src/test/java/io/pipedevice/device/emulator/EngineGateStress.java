// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * The driver excludes the engine to reset or to unmap, while the engine begins a round. Both increment a plain
 * variable. (true, 1) is the bug: both were inside, and one increment was lost. It appears when {@link EngineGate#shut}
 * does not wait, or when a flag of the gate is not volatile.
 */
@JCStressTest
@Outcome(id = "true, 2", expect = Expect.ACCEPTABLE, desc = "One after the other.")
@Outcome(id = "false, 1", expect = Expect.ACCEPTABLE, desc = "The engine stayed out.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both were inside.")
@State
public class EngineGateStress {
    private final EngineGate gate = new EngineGate();
    private int count;

    /** The engine's thread. */
    @Actor
    public void engine(ZI_Result result) {
        if (gate.enter()) {
            result.r1 = true;
            count++;
            gate.leave();
        }
    }

    /** The driver's thread. */
    @Actor
    public void driver() {
        gate.shut();
        count++;
        gate.open();
    }

    /** Reads the count. */
    @Arbiter
    public void rest(ZI_Result result) {
        result.r2 = count;
    }
}
