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
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A watcher of a socket is removed while another is added. Data that are published afterwards must wake the new one:
 * the removal must not clear the arm word of the new one.
 *
 * <p>Seen to fail when disarming is not under the monitor.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "The new watcher is woken.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class PeerWatcherLeavesStress {
    private final Rendezvous start = new Rendezvous();
    private final PlayedPeers.Connected connection = PlayedPeers.connect();
    private final PlayedWatcher leaving = new PlayedWatcher(1);
    private final PlayedWatcher coming = new PlayedWatcher(2);

    /** The watcher that leaves has armed. */
    public PeerWatcherLeavesStress() {
        connection.arm(leaving);
    }

    /** Removes the watcher. */
    @Actor
    public void leave() {
        start.meet();
        PlayedWaits.disarm(connection.waiting, PdEpoll.IN, leaving);
    }

    /** Adds the new watcher. */
    @Actor
    public void come() {
        start.meet();
        connection.arm(coming);
    }

    /** Checks whether the new watcher is woken. */
    @Arbiter
    public void look(Z_Result result) {
        long rung = connection.write();
        PlayedWaits.wake(connection.waiting, PdEpoll.IN);
        result.r1 = coming.knows(rung);
        connection.waiting.endWaits();
    }
}
