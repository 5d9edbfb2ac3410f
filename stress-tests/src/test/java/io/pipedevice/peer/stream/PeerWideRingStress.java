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
 * A writer in a wide ring leaves it at the first write that finds everything read, while the reader reads the last
 * bytes of it, and another connection immediately writes into it. If the writer leaves too early, the last bytes are
 * overwritten. If the reader sees bytes before it sees that they are in another ring, bytes are lost or duplicated.
 *
 * <p>Seen to fail when the writer leaves without checking the reader's position ({@link RingGrowth}).
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "Each byte once, in order.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "Bytes are lost, duplicated, or of another stream.")
@State
public class PeerWideRingStress {
    /** Number of bytes for the wide ring; the last of them are still unread. */
    private static final int IN_WIDE = 700;

    private static final int UNREAD = 600;
    private static final int BEFORE = PlayedStream.BASE + IN_WIDE;

    /** Number of bytes that are written one by one, the first of them perhaps still into the wide ring. */
    private static final int MORE = 40;

    private static final byte[] CONTENT = PlayedStream.content(BEFORE + MORE);

    private final Rendezvous start = new Rendezvous();
    private final PlayedStream stream = new PlayedStream(PlayedPeers.connectWidening(2 * PlayedStream.BASE), CONTENT);

    /** The stream is in the wide ring, and some of its bytes are unread. */
    public PeerWideRingStress() {
        stream.write(PlayedStream.BASE);
        stream.writeAtOnce(IN_WIDE);
        stream.readTo(BEFORE - UNREAD);
    }

    /** Continues to write, and leaves the wide ring as soon as all of it is read. */
    @Actor
    public void writer() {
        start.meet();
        for (int i = 0; i < MORE; i++) {
            stream.write(1);
        }
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
