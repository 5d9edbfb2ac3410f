// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.stream.PlayedPeers;
import io.pipedevice.stress.Rendezvous;
import java.io.UncheckedIOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The sleep and wake protocol of an epoll instance: the peer publishes its tail and checks whether the socket is armed;
 * the waiting thread arms it and checks it once more. (false, false) is the bug, a lost wake-up: data are available, no
 * thread rings, and the epoll instance sleeps.
 *
 * <p>Seen to fail without the fence of {@code RingSequence}, and when the waiting thread checks before it arms.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The peer sees the sleeper, and rings.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The sleeper sees the data, and stays awake.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: one ring too many, which costs only time.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class PeerEpollSleepStress {
    /** An epoll instance in which no thread waits. */
    private static final PeerEpoll EPOLL = open();

    private final Rendezvous start = new Rendezvous();
    private final PlayedPeers.Connected connection = PlayedPeers.connect();
    private final PeerEntry entry = new PeerEntry(connection.waiting, EPOLL, PdEpoll.IN, null);

    public static PeerEpoll open() {
        try {
            return new PeerEpoll(SpinMode.NEVER);
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Publishes, then checks whether to ring. */
    @Actor
    public void peer(ZZ_Result result) {
        start.meet();
        result.r1 = connection.write() != PeerArmWord.DISARMED;
    }

    /** Arms, then checks whether to block. */
    @Actor
    public void sleeper(ZZ_Result result) {
        start.meet();
        try {
            result.r2 = entry.armAndLook() != 0;
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }
}
