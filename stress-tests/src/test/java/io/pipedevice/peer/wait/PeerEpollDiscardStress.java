// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.stream.PlayedPeers;
import io.pipedevice.stress.Rendezvous;
import java.io.UncheckedIOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A thread removes a socket from an epoll instance while another, which waits in it, arms the socket. If the socket
 * stays armed, the peer rings for a wait that is over, and the next thread that waits for the socket is not alone.
 *
 * <p>Seen to fail when {@link PeerEntry#remove} disarms before it marks the entry as removed.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "Disarmed.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "Armed although no thread waits.")
@State
public class PeerEpollDiscardStress {
    private static final PeerEpoll EPOLL = PeerEpollSleepStress.open();

    private final Rendezvous start = new Rendezvous();
    private final PlayedPeers.Connected connection = PlayedPeers.connect();
    private final PeerEntry entry = new PeerEntry(connection.waiting, EPOLL, PdEpoll.IN, null);

    /** The waiting thread. */
    @Actor
    public void arm() {
        start.meet();
        try {
            entry.armAndLook();
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Another thread. */
    @Actor
    public void discard() {
        start.meet();
        entry.remove();
    }

    /** Reads the arm word that is left. */
    @Arbiter
    public void look(Z_Result result) {
        result.r1 = connection.armWord(LinkMemoryDescriptor.READ_ARM_OFFSET) == PeerArmWord.DISARMED;
    }
}
