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
 * A writer leaves its larger ring for the base ring as soon as it may, while the reader reads the last bytes of the
 * larger one, and another connection immediately writes into the larger one. If the writer leaves before the last bytes
 * are copied out, they are overwritten. If the reader sees bytes before it sees that they are in another ring, it reads
 * old bytes again.
 *
 * <p>Seen to fail when the writer leaves without checking the reader's position ({@link RingGrowth}), and when the
 * reader publishes its position before it has copied the bytes ({@link PeerReceiver}).
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "Each byte once, in order.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "Bytes are lost, duplicated, or of another stream.")
@State
public class PeerRingShrinkStress {
    /** Number of bytes for the larger ring; the last of them are still unread. */
    private static final int IN_LARGER = 700;

    private static final int UNREAD = 600;
    private static final int BEFORE = PlayedStream.BASE + IN_LARGER;

    /** Number of bytes that are written one by one, the first of them perhaps still into the larger ring. */
    private static final int MORE = 40;

    private static final byte[] CONTENT = PlayedStream.content(BEFORE + MORE);

    private final Rendezvous start = new Rendezvous();
    private final PlayedStream stream = new PlayedStream(CONTENT);

    /** The stream is in the larger ring, and some of its bytes are unread. */
    public PeerRingShrinkStress() {
        stream.write(PlayedStream.BASE);
        stream.write(IN_LARGER);
        stream.readTo(BEFORE - UNREAD);
    }

    /** Continues to write, and leaves the larger ring as soon as all of it is read. */
    @Actor
    public void writer() {
        start.meet();
        for (int i = 0; i < MORE; i++) {
            stream.connection.letPeerLeaveItsRing();
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
