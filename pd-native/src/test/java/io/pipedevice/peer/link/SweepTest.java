// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.peer.rendezvous.NetworkProbe;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.ring.SendRings;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.RingLender;
import io.pipedevice.peer.stream.StreamProbe;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.TestAddresses;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sweeps release the rings that connections leave behind, even if no thread connects or accepts any more. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class SweepTest {
    private static final int PATIENCE_MS = 10_000;
    private static final int MANY = 100;
    private static final int MUCH = 1 << 20;

    /** Many more rounds than resources need that the peer does not hold any more. */
    private static final int ROUNDS = 10;

    /** The mappings of both sides of a link on which nothing was sent. */
    private static final int FRESH = 4;

    private final Leaks leaks = new Leaks();
    private final SteppedSweeper ofServer = new SteppedSweeper();
    private final SteppedSweeper ofClient = new SteppedSweeper();
    private final PeerNetwork server = NetworkProbe.network(PATIENCE_MS, new Disposal(), ofServer.sweeper);
    private final PeerNetwork client = NetworkProbe.network(PATIENCE_MS, new Disposal(), ofClient.sweeper);
    private final List<PeerSocket> out = new ArrayList<>();
    private final List<PeerSocket> in = new ArrayList<>();
    private PeerListener listener;

    @AfterEach
    void leavesNothing() {
        out.forEach(PeerSocket::close);
        in.forEach(PeerSocket::close);
        client.close();
        server.close();
        leaks.awaitNone();
        sweepUntil(() -> !isSwept());
    }

    private boolean isSwept() {
        return ofServer.isRunning() || ofClient.isRunning();
    }

    private void sweep() {
        ofServer.round();
        ofClient.round();
    }

    /** Sweeps until a condition is true. Between rounds the watching threads read the peer's messages. */
    private void sweepUntil(Callable<Boolean> condition) {
        await().pollInterval(Duration.ofMillis(5)).pollInSameThread().until(() -> {
            sweep();
            return condition.call();
        });
    }

    private void connect(int count) throws Exception {
        listener = server.listen(TestAddresses.loopback(1), count);
        for (int i = 0; i < count; i++) {
            out.add(client.meet(listener.address()).connect(TestAddresses.loopback(2), listener.address()));
            in.add(listener.accept());
        }
    }

    /** Writes to a peer that does not read. */
    private static void writeMuch(PeerSocket socket) throws PdException {
        ByteBuffer source = ByteBuffer.allocate(MUCH);
        while (source.hasRemaining()) {
            assertTrue(socket.write(source) > 0 || socket.awaitWritable(TimeUnit.SECONDS.toNanos(1)));
        }
    }

    private static void readToEnd(PeerSocket socket) throws PdException {
        ByteBuffer target = ByteBuffer.allocate(MUCH);
        while (target.hasRemaining()) {
            assertTrue(socket.read(target) > 0, () -> "only " + target.position() + " bytes came");
        }
        assertEquals(-1, socket.read(ByteBuffer.allocate(1)));
    }

    @Test
    void whatWasReadAfterItsWriterClosedIsGivenBack() throws Exception {
        connect(MANY);
        for (PeerSocket socket : in) {
            writeMuch(socket);
            socket.close();
        }
        assertTrue(Leaks.mappings() >= FRESH + MANY, "they have larger rings");
        for (PeerSocket socket : out) {
            readToEnd(socket);
            socket.close();
        }
        sweepUntil(() -> Leaks.mappings() == FRESH);
        sweepUntil(() -> !isSwept());
        assertFalse(StreamProbe.link(in.getFirst()).isBroken());
    }

    @Test
    void whatWasReadIsGivenBackBeforeTheReaderCloses() throws Exception {
        connect(MANY);
        for (PeerSocket socket : in) {
            writeMuch(socket);
            socket.close();
        }
        for (PeerSocket socket : out) {
            readToEnd(socket);
        }
        sweepUntil(() -> Leaks.mappings() == FRESH);
    }

    @Test
    void whatNobodyReadIsGivenBack() throws Exception {
        connect(MANY);
        for (PeerSocket socket : in) {
            writeMuch(socket);
            socket.close();
        }
        out.forEach(PeerSocket::close);
        sweepUntil(() -> Leaks.mappings() == FRESH);
    }

    @Test
    void whatIsNotReadWaitsForItsReader() throws Exception {
        connect(2);
        for (PeerSocket socket : in) {
            writeMuch(socket);
            socket.close();
        }
        sweepOften();
        readToEnd(out.getFirst());
        out.getFirst().close();
        sweepOften();
        readToEnd(out.getLast());
        // No other round begins by itself, so the sweeps have continued until the reader had read.
        sweepUntil(() -> Leaks.mappings() == FRESH);
    }

    private void sweepOften() {
        for (int i = 0; i < ROUNDS; i++) {
            sweep();
        }
        assertTrue(ofServer.isRunning(), "sweeps continue until the reader has read");
    }

    @Test
    void theEndOfALinkIsTheEndOfItsSweeps() throws Exception {
        connect(1);
        writeMuch(in.getFirst());
        in.getFirst().close();
        assertTrue(isSwept());
        listener.close();
        client.close();
        out.getFirst().close();
        sweepUntil(() -> !isSwept());
        leaks.awaitNone();
    }

    @Test
    void anIdleLinkIsNotSwept() throws Exception {
        connect(MANY);
        for (PeerSocket socket : in) {
            socket.write(ByteBuffer.allocate(1));
        }
        for (PeerSocket socket : out) {
            assertEquals(1, socket.read(ByteBuffer.allocate(8)));
        }
        // A link that needs a sweep requests it at once, so that no time has to pass.
        assertFalse(ofServer.wasNeeded() || ofClient.wasNeeded());
    }

    @Test
    void freeRingsAreGivenBackWhenNobodyWantsThem() throws Exception {
        connect(1);
        RingLender rings = StreamProbe.link(in.getFirst()).rings();
        rings.give(rings.take(SendRings.MIN_SIZE));
        sweepUntil(() -> Leaks.mappings() == FRESH);
        sweepUntil(() -> !isSwept());
    }
}
