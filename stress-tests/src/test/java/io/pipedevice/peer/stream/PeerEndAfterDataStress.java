// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.stress.Rendezvous;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A writer writes a byte and ends the stream, by close or half-close, while the reader reads. The results are that of
 * one read, and the number of bytes that are read before the end. A first read of -1 is the bug: the end comes before
 * the data.
 *
 * <p>Seen to fail when {@link PeerReceiver} does not read the tail again after it has seen the end.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The first read came too early.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The first read finds the byte.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The end before the data, or no end.")
@State
public class PeerEndAfterDataStress {
    private static final int NO_END = -2;

    private final Rendezvous start = new Rendezvous();
    private final PlayedPeers.Connected connection = PlayedPeers.connect();
    private final ByteBuffer read = ByteBuffer.allocate(10);

    /** Writes, and ends the stream. */
    @Actor
    public void writer() {
        start.meet();
        connection.write();
        connection.end();
    }

    /** Reads. */
    @Actor
    public void reader(II_Result result) {
        start.meet();
        result.r1 = read();
    }

    private int read() {
        try {
            return connection.waiting.read(read);
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the rest, and the end. */
    @Arbiter
    public void look(II_Result result) {
        if (result.r1 == 0) {
            read();
        }
        result.r2 = read() == PdSocket.END_OF_STREAM ? read.position() : NO_END;
    }
}
