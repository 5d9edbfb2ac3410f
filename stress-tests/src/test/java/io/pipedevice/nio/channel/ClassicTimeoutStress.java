// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.stress.Rendezvous;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A byte arrives when the read of a socket of java.net is about to time out. The second value is the byte that a later
 * read finds. The read gets the byte, or a later one does; otherwise it is lost. A sample takes a millisecond.
 */
@JCStressTest
@Outcome(id = "7, Read timed out", expect = Expect.ACCEPTABLE, desc = "The byte came in time.")
@Outcome(id = "Read timed out, 7", expect = Expect.ACCEPTABLE, desc = "The byte is there for the next read.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The byte is lost or duplicated.")
@State
public class ClassicTimeoutStress {
    private final Rendezvous start = new Rendezvous();
    private final RingedSocket socket = RingedSocket.connect().within(1);

    /** The thread that reads. */
    @Actor
    public void reader(LL_Result result) {
        start.meet();
        result.r1 = socket.read();
    }

    /** The peer. */
    @Actor
    public void peer() {
        start.meet();
        RingedSocket.pause(900, 1200);
        socket.peerSends(7);
    }

    /** Reads again. */
    @Arbiter
    public void later(LL_Result result) {
        result.r2 = socket.read();
        socket.end();
    }
}
