// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.util.concurrent.ExecutionException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A thread completes a future while another one, which waits for it, goes to sleep in the selector. The wake-up must not
 * be lost.
 *
 * <p>Seen to fail when {@link Polling#pollForFutures} does not look at the future after it has announced the select.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The result was seen, or has ended the select.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The thread slept although the future was done.")
@State
public class FuturePollingStress {
    private final StillSelector selector = new StillSelector();
    private final FutureWaits waits = new FuturePolling(new Polling(selector));
    private final OperationFuture<Boolean> future = new OperationFuture<>();

    /** Begins the operation. */
    public FuturePollingStress() {
        future.begins(closes -> {}, waits);
    }

    /** The thread that waits. */
    @Actor
    public void waiter(ZZ_Result result) {
        try {
            result.r1 = future.get();
            result.r2 = selector.slept();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The thread that completes. */
    @Actor
    public void completer() {
        future.complete(true);
        waits.completed(future);
    }
}
