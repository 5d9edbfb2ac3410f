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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Two watchers of a socket: one comes while the other, which was armed, arms again, and the peer publishes. Each must see
 * the data or be woken: by its own bell, or by the dispatcher's, which wakes who is in the list then.
 *
 * <p>Seen to fail when the dispatcher's bell is not used for two, and when arming is not under the monitor.
 */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both know.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class PeerWatchersStress {
    private static final int FIRST = 1;
    private static final int SECOND = 2;

    private final PlayedPeers.Connected connection = PlayedPeers.connect();
    private final PlayedWatcher first = new PlayedWatcher(FIRST);
    private final PlayedWatcher second = new PlayedWatcher(SECOND);

    private boolean firstSaw;
    private boolean secondSaw;
    private long rung;

    /** Arms the first. */
    public PeerWatchersStress() {
        arm(first);
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

    /** Arms once more. */
    @Actor
    public void first() {
        firstSaw = arm(first);
    }

    /** Comes. */
    @Actor
    public void second() {
        secondSaw = arm(second);
    }

    /** Who knows? */
    @Arbiter
    public void look(ZZ_Result result) {
        if (rung != PeerArmWord.DISARMED && PeerArmWord.bell(rung) == PeerArmWord.DISPATCHER) {
            connection.waiting.watchers.wake(PdEpoll.IN);
        }
        result.r1 = firstSaw || first.isRungFor(rung);
        result.r2 = secondSaw || second.isRungFor(rung);
        connection.waiting.endWaits();
    }
}
