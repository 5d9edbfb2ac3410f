// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdException;
import io.pipedevice.stress.Rendezvous;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * Reclaim in a receive ring: the reader reads and releases, and the driver makes the next copy into the released space.
 * A first value of 2 is the bug: the reader reads the data of the next copy.
 *
 * <p>Seen to fail when the driver's CopyScheduler does not wait until there is room.
 */
@JCStressTest
@Outcome(id = "1, false", expect = Expect.ACCEPTABLE, desc = "The ring is still full.")
@Outcome(id = "1, true", expect = Expect.ACCEPTABLE, desc = "The space was given back, and is used again.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The data were overwritten while the reader read them.")
@State
public class RingReclaimStress {
    private static final int PIECE = PlayedSockets.RING_SIZE / 4;

    private final Rendezvous start = new Rendezvous();
    private final PlayedSockets.Connected socket = PlayedSockets.connect();
    private final PdBuffer buffer = new PdBuffer();
    private final byte[] data = new byte[PIECE];

    /** The ring is full, and its first piece is handed out. */
    public RingReclaimStress() {
        socket.receiveRing.fill((byte) 1);
        socket.driver.full(PlayedSockets.RING_SIZE, PIECE);
        try {
            socket.socket.recv(PIECE, buffer);
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** PD Lib: reads the first piece and releases it. */
    @Actor
    public void reader(IZ_Result result) {
        start.meet();
        buffer.copyTo(0, data, 0, PIECE);
        try {
            socket.socket.recvDone(PIECE);
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
        result.r1 = Math.max(data[0], data[PIECE - 1]);
        socket.takeRequests();
    }

    /** PD Driver and its device: makes the next copy if there is room. */
    @Actor
    public void driver(IZ_Result result) {
        start.meet();
        if (socket.driver.copies()) {
            for (int i = 0; i < PIECE; i++) {
                socket.receiveRing.set(ValueLayout.JAVA_BYTE, i, (byte) 2);
            }
            result.r2 = true;
        }
    }
}
