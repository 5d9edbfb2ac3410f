// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * A thread finds the channel ready while another one closes it. The pending operation is completed once.
 *
 * <p>Seen to fail when {@link Slot#close} does not hold the monitor.
 */
@JCStressTest
@Outcome(id = "1, true", expect = Expect.ACCEPTABLE, desc = "Completed once, by the channel or by the close.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Not completed, or twice.")
@State
public class SlotStress {
    private final StillChannel channel = new StillChannel();
    private final AtomicInteger completions = new AtomicInteger();
    private boolean ready;
    private final Future<Integer> future;

    /** Begins an operation, which has to wait. */
    public SlotStress() {
        Operation<Integer, Object> operation = new Operation<>(null, null) {
            @Override
            boolean attempt() {
                return ready && succeed(1);
            }

            @Override
            void ends(boolean failed) {
                completions.incrementAndGet();
            }
        };
        channel.slot.begin(operation, 0);
        future = operation.future();
        ready = true;
    }

    /** The thread of the group. */
    @Actor
    public void ready() {
        channel.slot.run();
    }

    /** The thread that closes. */
    @Actor
    public void closer() {
        channel.close();
    }

    /** Looks when both have ended. */
    @Arbiter
    public void look(IZ_Result result) {
        result.r1 = completions.get();
        result.r2 = future.isDone();
    }
}
