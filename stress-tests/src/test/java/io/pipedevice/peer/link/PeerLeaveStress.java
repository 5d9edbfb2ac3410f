// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.stress.Rendezvous;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A client posts a connection for which it was asked, while the server takes the question back to leave the connection
 * to the kernel. The results are: the client sees no revocation, and so goes on by rings; the server finds no
 * connection, and so goes on by the kernel. Both together are two ends that wait for each other. Without the fence of
 * either side they occur.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "Rings.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The kernel.")
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "The server judges; the client awaits its answer.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The client is on rings, and the server on the kernel.")
@State
public class PeerLeaveStress {
    private final Rendezvous start = new Rendezvous();
    private final PlayedListener listener = new PlayedListener();
    private final Announcement announced = listener.announceAsked(PlayedListener.PORT);

    /** Posts, and looks. */
    @Actor
    public void client(ZZ_Result result) {
        start.meet();
        listener.post(announced);
        result.r1 = !listener.isRevoked(announced);
    }

    /** Revokes, and looks. */
    @Actor
    public void server(ZZ_Result result) {
        start.meet();
        long posted = listener.ring.revoke(announced.slot(), announced.generation());
        result.r2 = listener.ring.hasJudged(posted);
    }
}
