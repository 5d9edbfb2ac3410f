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
 * A writer that has moved to a larger ring moves to a still larger one, while the reader begins to read, and passes
 * both switches. If the reader confuses the switches, or sees bytes before it sees in which ring they are, bytes are
 * lost, and others are duplicated.
 *
 * <p>Seen to fail with one place for all switches.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "Each byte once, in order.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "Bytes are lost or duplicated.")
@State
public class PeerSecondGrowthStress {
    /** Number of bytes that fill the base ring and the next one, of twice its size. */
    private static final int BOTH = 3 * PlayedStream.BASE;

    /** Number of bytes for the third ring. */
    private static final int MORE = 200;

    private static final byte[] CONTENT = PlayedStream.content(BOTH + MORE);

    private final Rendezvous start = new Rendezvous();
    private final PlayedStream stream = new PlayedStream(CONTENT);

    /** Both rings are full. */
    public PeerSecondGrowthStress() {
        stream.write(BOTH);
    }

    /** Continues in the third ring. */
    @Actor
    public void writer() {
        start.meet();
        stream.writeOn(MORE);
    }

    /** Reads the available bytes. */
    @Actor
    public void reader() {
        start.meet();
        stream.readOn();
    }

    /** Reads the rest. */
    @Arbiter
    public void look(Z_Result result) {
        result.r1 = stream.isWhole();
    }
}
