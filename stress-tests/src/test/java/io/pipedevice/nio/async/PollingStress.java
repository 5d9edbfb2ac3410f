// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A thread adds a task while another one goes to sleep in the selector. The wake-up must not be lost.
 *
 * <p>Seen to fail when {@link Polling#poll} looks for tasks before it announces the select.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The task was seen, or has ended the select.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The thread slept although there was a task.")
@State
public class PollingStress {
    private final StillSelector selector = new StillSelector();
    private final Polling polling = new Polling(selector);

    /** The thread that polls. */
    @Actor
    public void poller(ZZ_Result result) {
        Runnable task = null;
        while (task == null) {
            task = poll();
            task = task == null ? polling.next() : task;
        }
        result.r1 = true;
        result.r2 = selector.slept();
    }

    private Runnable poll() {
        try {
            return polling.tryTake() ? polling.poll(Polling.FOREVER) : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Another thread. */
    @Actor
    public void other() {
        polling.add(() -> {});
    }
}
