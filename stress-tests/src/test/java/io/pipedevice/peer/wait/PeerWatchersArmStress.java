// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.peer.stream.PlayedPeers;
import io.pipedevice.stress.Rendezvous;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Two watchers of a socket arm at the same time. Data that are published afterwards must wake both.
 *
 * <p>Seen to fail when arming is not under the monitor.
 */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both are woken.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class PeerWatchersArmStress {
    private final Rendezvous start = new Rendezvous();
    private final PlayedPeers.Connected connection = PlayedPeers.connect();
    private final PlayedWatcher first = new PlayedWatcher(1);
    private final PlayedWatcher second = new PlayedWatcher(2);

    /** Arms the first watcher. */
    @Actor
    public void first() {
        start.meet();
        connection.arm(first);
    }

    /** Arms the second watcher. */
    @Actor
    public void second() {
        start.meet();
        connection.arm(second);
    }

    /** Checks which watchers are woken. */
    @Arbiter
    public void look(ZZ_Result result) {
        long rung = connection.write();
        PlayedWaits.wake(connection.waiting, PdEpoll.IN);
        result.r1 = first.knows(rung);
        result.r2 = second.knows(rung);
        connection.waiting.endWaits();
    }
}
