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
 * A watcher of a socket sleeps, and a second one is added while the peer publishes. The first must be woken, by its own
 * doorbell or by the dispatcher's, which wakes both. The second must be woken or see the data.
 *
 * <p>Seen to fail when the second arms with its own doorbell.
 */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both are woken, or see the data.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class PeerWatcherComesStress {
    private final Rendezvous start = new Rendezvous();
    private final PlayedPeers.Connected connection = PlayedPeers.connect();
    private final PlayedWatcher first = new PlayedWatcher(1);
    private final PlayedWatcher second = new PlayedWatcher(2);
    private boolean secondSaw;
    private long rung;

    /** The first watcher goes to sleep. */
    public PeerWatcherComesStress() {
        connection.arm(first);
    }

    /** Publishes, then checks which doorbell to ring. */
    @Actor
    public void peer() {
        start.meet();
        rung = connection.write();
    }

    /** Adds the second watcher. */
    @Actor
    public void second() {
        start.meet();
        secondSaw = connection.arm(second);
    }

    /** Checks which watchers learned of the data. */
    @Arbiter
    public void look(ZZ_Result result) {
        PlayedWaits.wake(connection.waiting, PdEpoll.IN);
        result.r1 = first.knows(rung);
        result.r2 = secondSaw || second.knows(rung);
        connection.waiting.endWaits();
    }
}
