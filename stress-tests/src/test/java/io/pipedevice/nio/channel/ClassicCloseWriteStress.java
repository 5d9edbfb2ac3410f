// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.stress.Appointment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A socket of java.net is closed while another thread writes, is about to park for room, or is parked. The writer
 * learns of the close, and the peer finds the end behind what fits. A writer that is not woken hangs.
 */
@JCStressTest
@Outcome(id = "Socket closed, true", expect = Expect.ACCEPTABLE, desc = "The writer was told.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The writer got something else, or the peer found no end.")
@State
public class ClassicCloseWriteStress {
    private final Appointment start = new Appointment();
    private final RingedSocket socket = RingedSocket.connect();

    /** The thread that writes. */
    @Actor
    public void writer(LL_Result result) {
        result.r1 = start.meet() ? socket.writeForEver() : "Socket closed";
    }

    /** The thread that closes. */
    @Actor
    public void closer() {
        start.meet();
        RingedSocket.pause(0, 100);
        socket.close();
    }

    /** Looks at the peer's end. */
    @Arbiter
    public void peer(LL_Result result) {
        result.r2 = socket.peerFindsEnd();
        socket.end();
    }
}
