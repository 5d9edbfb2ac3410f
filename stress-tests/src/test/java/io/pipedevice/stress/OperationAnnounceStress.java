// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.stress;

import io.pipedevice.active.operation.OperationConsumer;
import io.pipedevice.protocol.SleepWord;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The sleep and wake protocol around requests: a process posts one, raises the activity word of the queue pair's group,
 * and checks whether PD Driver sleeps; the driver announces its sleep and reads the activity word once more, and a
 * queue pair where it has grown. (false, false) is the bug, a lost wake-up. It appears when the activity is raised
 * before the request is posted, or without a fence of {@link SleepWord}.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The process sees the sleeper, and rings.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The driver sees the request, and stays awake.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: one ring too many, which costs only time.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class OperationAnnounceStress {
    private final PlayedQueue queue = new PlayedQueue();
    private final MemorySegment status = MemorySegment.ofArray(new long[1]);

    /** The process: posts, then checks whether to ring. */
    @Actor
    public void process(ZZ_Result result) {
        queue.process.post(1, 1, 0, 0, 0, 0, 0, 0, 0);
        queue.process.announce();
        result.r1 = SleepWord.sleeping(status, 0) != 0;
    }

    /** PD Driver: announces, then checks whether to block. */
    @Actor
    public void driver(ZZ_Result result) {
        SleepWord.announce(status, 0);
        result.r2 = OperationConsumer.activity(queue.page, 0) != 0 && !queue.driver.isEmpty();
    }
}
