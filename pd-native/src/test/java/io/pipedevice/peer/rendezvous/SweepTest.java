// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.peer.link.LinkProbe;
import io.pipedevice.peer.link.Sweeper;
import io.pipedevice.peer.ring.SendRings;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.RingLender;
import io.pipedevice.peer.stream.StreamProbe;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sweeps release the rings that connections leave behind, even if no thread connects or accepts any more. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class SweepTest {
    private static final int PATIENCE_MS = 10_000;
    private static final int INTERVAL_MS = 50;
    private static final int MANY = 100;
    private static final int MUCH = 1 << 20;

    /** The mappings of both sides of a link on which nothing was sent. */
    private static final int FRESH = 4;

    private final Leaks leaks = new Leaks();
    private final Queue<Thread> sweepers = new ConcurrentLinkedQueue<>();
    private final PeerNetwork server = network();
    private final PeerNetwork client = network();
    private final List<PeerSocket> out = new ArrayList<>();
    private final List<PeerSocket> in = new ArrayList<>();
    private PeerListener listener;

    private PeerNetwork network() {
        Sweeper sweeper = LinkProbe.sweeper(INTERVAL_MS, task -> {
            Thread thread = Thread.ofPlatform().daemon().unstarted(task);
            sweepers.add(thread);
            return thread;
        });
        return new PeerNetwork(PATIENCE_MS, new Disposal(), sweeper);
    }

    @AfterEach
    void leavesNothing() {
        out.forEach(PeerSocket::close);
        in.forEach(PeerSocket::close);
        client.close();
        server.close();
        leaks.awaitNone();
        await().until(() -> !isSwept());
    }

    private boolean isSwept() {
        return sweepers.stream().anyMatch(Thread::isAlive);
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
        await().until(() -> Leaks.mappings() == FRESH);
        await().until(() -> !isSwept());
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
        await().until(() -> Leaks.mappings() == FRESH);
    }

    @Test
    void whatNobodyReadIsGivenBack() throws Exception {
        connect(MANY);
        for (PeerSocket socket : in) {
            writeMuch(socket);
            socket.close();
        }
        out.forEach(PeerSocket::close);
        await().until(() -> Leaks.mappings() == FRESH);
    }

    @Test
    void whatIsNotReadWaitsForItsReader() throws Exception {
        connect(2);
        for (PeerSocket socket : in) {
            writeMuch(socket);
            socket.close();
        }
        TimeUnit.MILLISECONDS.sleep(10 * INTERVAL_MS);
        assertTrue(isSwept(), "sweeps continue until the reader has read");
        readToEnd(out.getFirst());
        out.getFirst().close();
        TimeUnit.MILLISECONDS.sleep(10 * INTERVAL_MS);
        readToEnd(out.getLast());
    }

    @Test
    void theEndOfALinkIsTheEndOfItsSweeps() throws Exception {
        connect(1);
        writeMuch(in.getFirst());
        in.getFirst().close();
        await().until(this::isSwept);
        listener.close();
        client.close();
        out.getFirst().close();
        await().until(() -> !isSwept());
        leaks.awaitNone();
    }

    @Test
    void anIdleLinkIsNotSwept() throws Exception {
        connect(MANY);
        for (PeerSocket socket : in) {
            socket.write(ByteBuffer.allocate(1));
        }
        TimeUnit.MILLISECONDS.sleep(2 * INTERVAL_MS);
        assertTrue(sweepers.isEmpty());
    }

    @Test
    void freeRingsAreGivenBackWhenNobodyWantsThem() throws Exception {
        connect(1);
        RingLender rings = StreamProbe.link(in.getFirst()).rings();
        rings.give(rings.take(SendRings.MIN_SIZE));
        await().until(() -> Leaks.mappings() == FRESH);
        await().until(() -> !isSwept());
    }
}
