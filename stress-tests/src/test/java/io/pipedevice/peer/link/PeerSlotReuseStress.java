// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.lib.PdException;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.SlotSetup;
import io.pipedevice.peer.stream.PlayedPeers;
import io.pipedevice.stress.Rendezvous;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A server accepts into a slot that has the words of an earlier connection, while the client, which may write before
 * that, reads and fills its ring. The results are bytes read and bytes written. A client that uses the earlier words
 * for this connection reads data that were never sent, or assumes that the server consumed data that the client did not
 * send.
 *
 * <p>Seen to fail when {@link SlotSetup} publishes the generation of the words before it resets them.
 */
@JCStressTest
@Outcome(id = "0, 4096", expect = Expect.ACCEPTABLE, desc = "Nothing to read, and an empty ring to fill.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Words of an earlier connection.")
@State
public class PeerSlotReuseStress {
    private static final int BROKEN = -2;
    private static final int MORE_THAN_A_RING = LinkMemoryDescriptor.BASE_RING_LENGTH + 1;

    private final Rendezvous start = new Rendezvous();
    private final PlayedPeers.Connected connection = PlayedPeers.connectOnly();
    private final ByteBuffer bytes = ByteBuffer.allocate(MORE_THAN_A_RING);

    /** Resets the words, then publishes their generation. */
    @Actor
    public void server() {
        start.meet();
        connection.accept();
    }

    /** Reads the generation of the words, then the words. */
    @Actor
    public void client(II_Result result) {
        start.meet();
        try {
            result.r1 = connection.waiting.read(bytes);
            result.r2 = connection.waiting.write(bytes.clear());
        } catch (PdException e) {
            result.r2 = BROKEN;
        }
    }
}
