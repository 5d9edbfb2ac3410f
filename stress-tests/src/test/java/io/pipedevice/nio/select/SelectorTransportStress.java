// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A channel gets another transport while a select of its selector goes to sleep. (false, false) is the bug: the key
 * waits in the queue, and select blocks without watching the new transport.
 *
 * <p>Seen to fail when {@link WakeUp}'s word of the sleeper is not volatile, and when
 * {@link KeyQueue#add(KeyQueue.Link, WakeUp)} or {@link WakeUp#maySleep} checks before it announces.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The channel sees the sleeper, and raises the flag.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The selecting thread sees the key, and stays awake.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: the flag is raised once too often.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "The change is not seen.")
@State
public class SelectorTransportStress {
    private final WakeUp wakeUp = new WakeUp();
    private final KeyQueue changes = new KeyQueue();
    private final KeyQueue.Link link = new KeyQueue.Link(null);

    /** The channel's thread. */
    @Actor
    public void channel(ZZ_Result result) {
        result.r1 = changes.add(link, wakeUp);
    }

    /** The selecting thread. */
    @Actor
    public void selecting(ZZ_Result result) {
        result.r2 = !wakeUp.maySleep(() -> !changes.isEmpty());
    }
}
