// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.wait.PeerWait;
import io.pipedevice.peer.wait.PlayedWaits;
import io.pipedevice.stress.Rendezvous;
import java.io.UncheckedIOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The sleep and wake protocol of a thread that waits for room for a block: the writer finds none, announces how much
 * the peer must have consumed, arms, and checks once more; the peer publishes its position, and checks whether the
 * writer is armed and whether the position is far enough. (false, false) is the bug, a lost wake-up: there is room, no
 * thread rings, and the writer blocks.
 *
 * <p>Seen to fail when the writer asks for more than it waits for ({@link PeerBlocks}).
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The peer sees the sleeper, and rings.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The sleeper sees the new position, and stays awake.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: one ring too many, which costs only time.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class PeerBlockSleepStress {
    private final Rendezvous start = new Rendezvous();
    private final PlayedPeers.Connected connection = PlayedPeers.connectForBlocks();
    private final PeerWait wait = PlayedWaits.newWait(connection.waiting, PdEpoll.OUT);

    /** The whole ring is unread. */
    public PeerBlockSleepStress() {
        connection.sendBlock();
    }

    /** Publishes, then checks whether to ring. */
    @Actor
    public void peer(ZZ_Result result) {
        start.meet();
        result.r1 = connection.read() != PeerArmWord.DISARMED;
    }

    /** Searches for room, arms, then checks whether to block. */
    @Actor
    public void sleeper(ZZ_Result result) {
        start.meet();
        try {
            result.r2 = connection.mallocSmall() || wait.armAndLook();
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the wait. */
    @Arbiter
    public void end(ZZ_Result result) {
        connection.waiting.endWaits();
    }
}
