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
 * Growth of a receive ring: the driver uses more of the ring and puts bytes behind the end of the smaller part, while
 * the reader reads the bytes before them.
 *
 * <p>Seen to fail when the reader reads the driver's word for the part before the count of bytes produced.
 */
@JCStressTest
@Outcome(id = "200, true", expect = Expect.ACCEPTABLE, desc = "The bytes before the growth.")
@Outcome(id = "300, true", expect = Expect.ACCEPTABLE, desc = "Those after it, too.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The reader looked at other places than the driver.")
@State
public class RingGrowthStress {
    private static final int PART = PlayedSockets.RING_SIZE / 4;

    private final Rendezvous start = new Rendezvous();
    private final PlayedSockets.Connected socket = PlayedSockets.connect();
    private final ByteBuffer read = ByteBuffer.allocate(PlayedSockets.RING_SIZE);

    /** Some bytes are there. */
    public RingGrowthStress() {
        socket.receiveRing.fill((byte) 9);
        socket.driver.part(PART);
        socket.driver.put(socket.receiveRing, (byte) 1, 100);
        read();
        read.clear();
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
        result.r1 = 100 + read() + read();
        result.r2 = true;
        for (int i = 0; i < read.position(); i++) {
            result.r2 &= read.get(i) == (i < 100 ? 1 : 2);
        }
        socket.takeRequests();
    }

    /** PD Driver and its device: there is room for 56 bytes before the growth. */
    @Actor
    public void driver() {
        start.meet();
        socket.driver.grow(PlayedSockets.RING_SIZE);
        socket.driver.put(socket.receiveRing, (byte) 2, 100);
    }
}
