// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.stress.Rendezvous;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A writer whose ring is nearly full continues in a larger one, while the reader reads. If the reader sees bytes before
 * it sees that they are in another ring, it reads them from the old one: bytes are lost, and others are duplicated.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "Each byte once, in order.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "Bytes are lost or duplicated.")
@State
public class PeerRingGrowthStress {
    /** Bytes for the larger ring. */
    private static final int MORE = 200;

    private static final int LOOKS = 100;
    private static final byte[] CONTENT = PlayedStream.content(PlayedStream.BASE + MORE);

    private final Rendezvous start = new Rendezvous();
    private final PlayedStream stream = new PlayedStream(CONTENT);

    /** The base ring is full. */
    public PeerRingGrowthStress() {
        stream.write(PlayedStream.BASE);
    }

    /** Continues in the larger ring. */
    @Actor
    public void writer() {
        start.meet();
        stream.write(MORE);
    }

    /** Polls for a while until there are more data, and reads them. */
    @Actor
    public void reader() {
        start.meet();
        for (int i = 0; i < LOOKS && stream.available() == PlayedStream.BASE; i++) {
            Thread.onSpinWait();
        }
        stream.readOn();
    }

    /** Reads the rest. */
    @Arbiter
    public void look(Z_Result result) {
        result.r1 = stream.isWhole();
    }
}
