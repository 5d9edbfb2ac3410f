// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Two watchers of a socket: one that was armed leaves while another comes, and the peer publishes. Who came must see the
 * data or be woken; who leaves must not take its arm word away.
 *
 * <p>Seen to fail when disarming is not under the monitor.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "It knows.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class PeerWatcherLeavesStress {
    private final PlayedPeers.Connected connection = PlayedPeers.connect();
    private final PlayedWatcher leaving = new PlayedWatcher(1);
    private final PlayedWatcher coming = new PlayedWatcher(2);
    private boolean saw;
    private long rung;

    /** Arms the one that leaves. */
    public PeerWatcherLeavesStress() {
        arm(leaving);
    }

    private boolean arm(Watcher watcher) {
        try {
            connection.waiting.watchers.arm(PdEpoll.IN, watcher);
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
        VarHandle.fullFence();
        return connection.waiting.readiness(PdEpoll.IN) != 0;
    }

    /** The peer. */
    @Actor
    public void peer() {
        rung = connection.write();
    }

    /** Goes. */
    @Actor
    public void leave() {
        connection.waiting.watchers.disarm(PdEpoll.IN, leaving);
    }

    /** Comes. */
    @Actor
    public void come() {
        saw = arm(coming);
    }

    /** Does it know? */
    @Arbiter
    public void look(Z_Result result) {
        if (rung != PeerArmWord.DISARMED && PeerArmWord.bell(rung) == PeerArmWord.DISPATCHER) {
            connection.waiting.watchers.wake(PdEpoll.IN);
        }
        result.r1 = saw || coming.isRungFor(rung);
        connection.waiting.endWaits();
    }
}
