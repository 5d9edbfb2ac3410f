// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.peer.wait.PlayedWaits;
import io.pipedevice.peer.wait.PlayedWatcher;
import io.pipedevice.stress.Rendezvous;
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
 * A thread waits for room for a block while another thread of the same program frees the block that takes the room; no
 * peer announces that. (false, false) is the bug, a lost wake-up: there is room, no thread wakes the writer, and it
 * blocks.
 *
 * <p>Seen to fail when {@link PeerBlocks} announces that it waits for a free block only after it has searched for one.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The freeing thread sees the sleeper, and wakes it.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The sleeper sees the room, and stays awake.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: woken once too often, which costs only time.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class PeerBlockFreeStress {
    private final Rendezvous start = new Rendezvous();
    private final PlayedPeers.Connected connection = PlayedPeers.connectForBlocks();
    private final PdBuffer block = connection.takeBlock();
    private final PlayedWatcher sleeper = new PlayedWatcher(1);

    /** Frees, then checks whether a thread waits for a free block. */
    @Actor
    public void free() {
        start.meet();
        connection.waiting.free(block);
    }

    /** Searches for room, arms, then checks whether to block. */
    @Actor
    public void sleeper(ZZ_Result result) {
        start.meet();
        try {
            if (connection.mallocSmall()) {
                result.r2 = true;
                return;
            }
            PlayedWaits.arm(connection.waiting, PdEpoll.OUT, sleeper);
            VarHandle.fullFence();
            result.r2 = connection.waiting.readiness(PdEpoll.OUT) != 0;
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Records whether the sleeper was woken. */
    @Arbiter
    public void look(ZZ_Result result) {
        result.r1 = sleeper.isWoken();
        connection.waiting.endWaits();
    }
}
