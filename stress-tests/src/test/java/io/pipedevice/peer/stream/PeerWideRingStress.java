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
 * bytes of it, and another connection writes into it at once. If the writer leaves too early, the last bytes are
 * overwritten; if the reader sees bytes before it sees that they are in another ring, bytes are lost or repeated.
 *
 * <p>Seen to fail when the writer leaves without checking how far the reader is ({@link RingGrowth}).
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "Each byte once, in order.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "Bytes are another's, lost or doubled.")
@State
public class PeerWideRingStress {
    /** Bytes for the wide ring, of which the last are still unread. */
    private static final int IN_WIDE = 700;

    private static final int UNREAD = 600;
    private static final int BEFORE = PlayedStream.BASE + IN_WIDE;

    /** Bytes that are written one by one, the first of them perhaps still into the wide ring. */
    private static final int MORE = 40;

    private static final byte[] CONTENT = PlayedStream.content(BEFORE + MORE);

    private final Rendezvous start = new Rendezvous();
    private final PlayedStream stream = new PlayedStream(PlayedPeers.connectWidening(2 * PlayedStream.BASE), CONTENT);

    /** The stream is in the wide ring, and not all of that is read. */
    public PeerWideRingStress() {
        stream.write(PlayedStream.BASE);
        stream.writeAtOnce(IN_WIDE);
        stream.readTo(BEFORE - UNREAD);
    }

    /** Writes on, and leaves the wide ring as soon as all of it is read. */
    @Actor
    public void writer() {
        start.meet();
        for (int i = 0; i < MORE; i++) {
            stream.write(1);
        }
    }

    /** Reads what is available. */
    @Actor
    public void reader() {
        start.meet();
        stream.readOn();
    }

    /** The rest. */
    @Arbiter
    public void look(Z_Result result) {
        result.r1 = stream.isWhole();
    }
}
