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
 * The sweeper gives back a wide ring that it considers idle, while the ring's writer continues to write, and its reader
 * reads. If sweeper and writer do not exclude each other, the stream is in two rings at once, or in a ring of another
 * stream: bytes are lost or duplicated.
 *
 * <p>Seen to fail when the sweeper does not check whether the writer is active ({@link RingGrowth}).
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "Each byte once, in order.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "Bytes are lost, duplicated, or of another stream.")
@State
public class PeerIdleRingStress {
    /** Bytes for the wide ring. */
    private static final int IN_WIDE = 700;

    /** Number of bytes that are written one by one, the first of them perhaps still into the wide ring. */
    private static final int MORE = 40;

    private static final int SWEEPS = 40;
    private static final byte[] CONTENT = PlayedStream.content(PlayedStream.BASE + IN_WIDE + MORE);

    private final Rendezvous start = new Rendezvous();
    private final PlayedStream stream = new PlayedStream(PlayedPeers.connectWidening(2 * PlayedStream.BASE), CONTENT);

    /** The stream is in the wide ring, everything is read, and nothing was written since the sweeper's last check. */
    public PeerIdleRingStress() {
        stream.write(PlayedStream.BASE);
        stream.writeAtOnce(IN_WIDE);
        stream.readOn();
        if (stream.connection.sweepPeer()) {
            throw new AssertionError("the ring was written to");
        }
    }

    /** Continues to write. */
    @Actor
    public void writer() {
        start.meet();
        for (int i = 0; i < MORE; i++) {
            stream.write(1);
        }
    }

    /** Sweeps the writer's side, while the reader reads the available bytes. */
    @Actor
    public void sweeper() {
        start.meet();
        for (int i = 0; i < SWEEPS; i++) {
            stream.connection.sweepPeer();
            stream.readOn();
        }
    }

    /** Reads the rest. */
    @Arbiter
    public void look(Z_Result result) {
        result.r1 = stream.isWhole();
    }
}
