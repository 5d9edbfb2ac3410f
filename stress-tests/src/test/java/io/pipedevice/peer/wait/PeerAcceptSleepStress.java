// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.peer.link.PlayedListener;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.stress.Rendezvous;
import java.io.UncheckedIOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The sleep and wake protocol of a thread that waits for connections: the client posts one and checks whether the
 * accept ring is armed; the server arms it and checks once more for a posted connection. (false, false) is the bug, a
 * lost wake-up: a connection waits, no thread rings, and the server sleeps.
 *
 * <p>Seen to fail when the server checks before it arms.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The client sees the sleeper, and rings.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The sleeper sees the connection, and stays awake.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: one ring too many, which costs only time.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class PeerAcceptSleepStress {
    /** An epoll instance in which no thread waits. */
    private static final PeerEpoll EPOLL = PeerEpollSleepStress.open();

    private final Rendezvous start = new Rendezvous();
    private final PlayedListener listener = new PlayedListener();
    private final PeerEntry entry = new PeerEntry(listener, EPOLL, PdEpoll.IN, null);

    /** Posts, then checks whether to ring. */
    @Actor
    public void client(ZZ_Result result) {
        start.meet();
        if (listener.connect() == null) {
            throw new AssertionError("the listener is open");
        }
        result.r1 = listener.armToRing() != PeerArmWord.DISARMED;
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
