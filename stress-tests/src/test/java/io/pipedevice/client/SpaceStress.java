// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdException;
import io.pipedevice.stress.Rendezvous;
import java.io.UncheckedIOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Room in a full receive ring: PD Driver finds none, announces how much it wants, and checks once more; the reader
 * releases some, and checks whether the driver wants room. (false, false) is the bug: the sender's data wait, no thread
 * copies them, and no thread tells the driver that there is room.
 *
 * <p>Seen to fail without the fence of {@link Receiver#recvDone}, and without that of the driver's CopyScheduler.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The driver sees the room, and copies.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The reader sees the request, and tells the driver.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: one request too many, which costs only time.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "The driver waits for ever.")
@State
public class SpaceStress {
    private static final int PIECE = PlayedSockets.RING_SIZE / 4;

    private final Rendezvous start = new Rendezvous();
    private final PlayedSockets.Connected socket = PlayedSockets.connect();

    /** The ring is full, and its first piece is handed out. */
    public SpaceStress() {
        socket.driver.full(PlayedSockets.RING_SIZE, PIECE);
        try {
            socket.socket.recv(PIECE, new PdBuffer());
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** PD Driver: copies if there is room. */
    @Actor
    public void driver(ZZ_Result result) {
        start.meet();
        result.r1 = socket.driver.copies();
    }

    /** PD Lib: makes room, and tells the driver if it waits for room. */
    @Actor
    public void reader(ZZ_Result result) {
        start.meet();
        try {
            socket.socket.recvDone(PIECE);
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
        result.r2 = socket.takeRequests();
    }
}
