// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.stress;

import io.pipedevice.active.operation.OperationRequest;
import io.pipedevice.protocol.ArmWord;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The sleep and wake protocol around completions: PD Driver posts one, fences, and reads the arm word; the process's
 * thread arms, fences, and looks once more. (false, false) is the bug, a lost wake-up. It appears when either fence is
 * removed.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The driver sees the sleeper, and rings.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The thread sees the completion, and stays awake.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: one ring too many, which costs only time.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class OperationSleepStress {
    private final PlayedQueue queue = new PlayedQueue();

    /** Posts a request before the others begin. */
    public OperationSleepStress() {
        queue.process.post(1, 1, 0, 0, 0, 0, 0, 0, 0);
        queue.driver.take(new OperationRequest());
    }

    /** PD Driver: completes, then checks whether to ring. */
    @Actor
    public void driver(ZZ_Result result) {
        queue.driver.complete(1, 0, 0);
        VarHandle.fullFence();
        result.r1 = queue.driver.arm() != ArmWord.DISARMED;
    }

    /** The process: arms, then checks whether to block. */
    @Actor
    public void process(ZZ_Result result) {
        queue.process.arm(ArmWord.of(1, 0, ArmWord.IN));
        VarHandle.fullFence();
        result.r2 = queue.process.isReady();
    }
}
