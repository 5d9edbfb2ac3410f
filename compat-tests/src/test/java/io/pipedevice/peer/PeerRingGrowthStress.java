// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.compat.stress.Rendezvous;
import io.pipedevice.lib.PdException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A writer whose ring is nearly full goes on in a larger one, while the reader reads. If the reader sees bytes before it
 * sees that they lie in another ring, it reads them from the old one: bytes are lost, and others come twice.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "Each byte once, in order.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "Bytes are lost or doubled.")
@State
public class PeerRingGrowthStress {
    private static final int LARGER = 2 * LinkMemoryDescriptor.BASE_RING_LENGTH;

    /** Fills the base ring. */
    private static final int BEFORE = LinkMemoryDescriptor.BASE_RING_LENGTH;

    /** Bytes for the larger ring. */
    private static final int MORE = 200;

    private static final int LOOKS = 100;
    private static final byte[] CONTENT = content();

    private final Rendezvous start = new Rendezvous();
    private final PlayedPeers.Connected connection = PlayedPeers.connectGrowing(LARGER);
    private final ByteBuffer read = ByteBuffer.allocate(CONTENT.length + 1);

    /** The base ring is full. */
    public PeerRingGrowthStress() {
        write(0, BEFORE);
    }

    private static byte[] content() {
        byte[] bytes = new byte[BEFORE + MORE];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (((i * 31) >> 3) | 1);
        }
        return bytes;
    }

    private void write(int from, int length) {
        try {
            if (connection.peer.write(ByteBuffer.wrap(CONTENT, from, length)) != length) {
                throw new AssertionError("there is room");
            }
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Goes on in the larger ring. */
    @Actor
    public void writer() {
        start.meet();
        write(BEFORE, MORE);
    }

    /** Looks until there is more, for a while, and reads. */
    @Actor
    public void reader() {
        start.meet();
        try {
            for (int i = 0; i < LOOKS && connection.waiting.available() == BEFORE; i++) {
                Thread.onSpinWait();
            }
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
        read();
    }

    private void read() {
        try {
            while (connection.waiting.read(read) > 0) {
                Thread.onSpinWait();
            }
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The rest. */
    @Arbiter
    public void look(Z_Result result) {
        read();
        result.r1 = read.flip().equals(ByteBuffer.wrap(CONTENT));
    }
}
