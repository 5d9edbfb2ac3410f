// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.stress.Rendezvous;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * Restart of a receive ring: the reader reads all bytes, and the driver begins at the ring's beginning again.
 *
 * <p>Seen to fail when the driver begins again although some bytes are not consumed.
 */
@JCStressTest
@Outcome(id = "100, true", expect = Expect.ACCEPTABLE, desc = "The first bytes.")
@Outcome(id = "200, true", expect = Expect.ACCEPTABLE, desc = "The others, too, wherever the ring began again.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The reader looked at other places than the driver.")
@State
public class RingRestartStress {
    private static final int PART = PlayedSockets.RING_SIZE / 4;

    private final Rendezvous start = new Rendezvous();
    private final PlayedSockets.Connected socket = PlayedSockets.connect();
    private final ByteBuffer read = ByteBuffer.allocate(PlayedSockets.RING_SIZE);

    /** The first bytes are there. */
    public RingRestartStress() {
        socket.receiveRing.fill((byte) 9);
        socket.driver.part(PART);
        socket.driver.put(socket.receiveRing, (byte) 1, 100);
    }

    private int read() {
        try {
            return socket.socket.read(read);
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** PD Lib: reads what is there, twice. */
    @Actor
    public void reader(IZ_Result result) {
        start.meet();
        result.r1 = read() + read();
        result.r2 = true;
        for (int i = 0; i < read.position(); i++) {
            result.r2 &= read.get(i) == (i < 100 ? 1 : 2);
        }
        socket.takeRequests();
    }

    /** PD Driver and its device. */
    @Actor
    public void driver() {
        start.meet();
        socket.driver.restart();
        socket.driver.put(socket.receiveRing, (byte) 2, 100);
    }
}
