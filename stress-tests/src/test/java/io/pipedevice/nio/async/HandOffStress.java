// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A thread of the program adds a task while the thread of a group of an executor goes to sleep in the selector. Either
 * the executor is asked for a thread, or the select does not sleep.
 *
 * <p>Seen to fail when the thread of the group does not look for tasks after it has announced the select.
 */
@JCStressTest
@Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "A thread of the executor comes, or the select has ended.")
@Outcome(id = "true", expect = Expect.FORBIDDEN, desc = "The thread slept, and nobody runs the task.")
@State
public class HandOffStress {
    private final StillSelector selector = new StillSelector();
    private final Polling polling = new Polling(selector);
    private final HeldTasks executor = new HeldTasks();
    private final ExecutorThreads threads = new ExecutorThreads(polling, executor);

    /** Has the executor's threads run the tasks. */
    public HandOffStress() {
        polling.handOffTo(threads);
    }

    /** The thread of the group. */
    @Actor
    public void own(Z_Result result) {
        try {
            threads.poll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        result.r1 = selector.slept();
    }

    /** A thread of the program. It ends a select that may sleep, so that the test goes on. */
    @Actor
    public void program() {
        polling.add(() -> {});
        if (executor.hasTask()) {
            selector.wakeup();
        }
    }
}
