// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.stress;

import io.pipedevice.active.operation.OperationRequest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A process posts three requests to a queue pair of depth 2, the third when a completion has made room, while PD Driver
 * takes and completes them: each is taken once and whole, and has its completion. -1 is the bug: a request or a
 * completion that was torn. It appears when a stamp is stored before the other words.
 */
@JCStressTest
@Outcome(id = "[2-3], [2-3]", expect = Expect.ACCEPTABLE, desc = "All that was posted was taken, and completed.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A request or a completion was lost, torn, or taken twice.")
@State
public class OperationRingStress {
    private final PlayedQueue queue = new PlayedQueue();
    private final OperationRequest request = new OperationRequest();
    private int posted;
    private int taken;
    private int completed;

    private void post() {
        int number = posted + 1;
        if (queue.process.post(number, number, number, number, number, number, number, number, number)) {
            posted = number;
        }
    }

    private void poll() {
        if (queue.process.poll()) {
            long number = completed + 1L;
            boolean whole =
                    queue.process.id() == number && queue.process.value() == number && queue.process.status() == number;
            completed = whole ? completed + 1 : -1;
        }
    }

    private void take() {
        if (queue.driver.hasRoom() && queue.driver.take(request)) {
            int number = taken + 1;
            boolean whole = request.id() == number
                    && request.code() == number
                    && request.target() == number
                    && request.targetOffset() == number
                    && request.length() == number
                    && request.buffer() == number
                    && request.bufferOffset() == number
                    && request.operand() == number
                    && request.secondOperand() == number;
            taken = whole ? number : -1;
            queue.driver.complete(request.id(), number, number);
        }
    }

    /** The process. */
    @Actor
    public void process() {
        post();
        post();
        poll();
        post();
    }

    /** The driver. */
    @Actor
    public void driver() {
        take();
        take();
    }

    /** Both do the rest. */
    @Arbiter
    public void rest(II_Result result) {
        for (int i = 0; i < PlayedQueue.DEPTH + 1; i++) {
            take();
            poll();
        }
        boolean all = taken == posted && completed == posted;
        result.r1 = all ? taken : -1;
        result.r2 = all ? completed : -1;
    }
}
