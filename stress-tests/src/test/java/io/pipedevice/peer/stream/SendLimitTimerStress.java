// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.stress.Rendezvous;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The timer of one end ends while another end asks whether it may send. (false, false) is the bug, a lost wake-up: the
 * other end sleeps, is not woken, and no timer runs for it.
 *
 * <p>Seen to fail when {@link SendLimit#permits} registers the end after it has left the monitor.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The end sees the new tokens.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The end may not send, and is woken.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class SendLimitTimerStress {
    private final Rendezvous start = new Rendezvous();
    private final PlayedLimit played = new PlayedLimit();
    private final PlayedLimit.Sleeper end = new PlayedLimit.Sleeper();

    /** Has a timer started. */
    public SendLimitTimerStress() {
        played.limit.permits(new PlayedLimit.Sleeper());
    }

    /** Asks. */
    @Actor
    public void sleeper(ZZ_Result result) {
        start.meet();
        result.r1 = played.limit.permits(end);
    }

    /** The time of the first end's pause is over. */
    @Actor
    public void timer() {
        start.meet();
        played.time();
    }

    /** Looks at the end. */
    @Arbiter
    public void result(ZZ_Result result) {
        result.r2 = end.woken || played.isTimed();
    }
}
