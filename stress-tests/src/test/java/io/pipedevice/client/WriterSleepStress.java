// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.stress.Rendezvous;
import java.io.UncheckedIOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The sleep and wake protocol of a thread that blocks in malloc or send: PD Driver publishes that a send is completed
 * and ends its duty cycle; the writer announces which send it waits for, arms, and checks once more. (false, false) is
 * the bug, a lost wake-up: there is room, no doorbell rings, and the writer blocks.
 *
 * <p>Seen to fail without the fence of {@link DriverWait#armAndLook}, without that of the driver's Notifier, and when
 * the writer does not announce which send it waits for ({@link DriverWait#beforeSleep}).
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The driver sees the sleeper, and rings.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The writer sees the room, and stays awake.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: one ring too many, which costs only time.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class WriterSleepStress {
    private final Rendezvous start = new Rendezvous();
    private final PlayedSockets.Connected socket = PlayedSockets.connect();
    private final DriverWait writer = socket.core.sender().wait;

    /** Sends two blocks that fill the ring. A third, for which both sends must be completed, is refused. */
    public WriterSleepStress() {
        try {
            fill();
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void fill() throws PdException {
        PdSocket sending = socket.socket;
        PdBuffer[] buffers = {new PdBuffer(), new PdBuffer()};
        for (PdBuffer buffer : buffers) {
            sending.malloc(PlayedSockets.RING_SIZE / 2, buffer);
            sending.send(buffer, 1);
        }
        refuse();
        // First announce that the sender waits for no send, but for blocks to be freed.
        socket.core.sender().announceWanted();
        for (PdBuffer buffer : buffers) {
            sending.free(buffer);
        }
        refuse();
    }

    private void refuse() throws PdException {
        if (socket.socket.malloc(PlayedSockets.RING_SIZE, new PdBuffer())) {
            throw new AssertionError("the ring is not full");
        }
    }

    /** PD Driver: publishes, then checks whether to ring. */
    @Actor
    public void driver(ZZ_Result result) {
        start.meet();
        socket.driver.completed(2);
        result.r1 = socket.driver.rings();
    }

    /** PD Lib: arms, then checks whether to block. */
    @Actor
    public void writer(ZZ_Result result) {
        start.meet();
        try {
            result.r2 = writer.armAndLook();
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }
}
