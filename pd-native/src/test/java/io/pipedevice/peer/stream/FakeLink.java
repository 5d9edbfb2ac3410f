// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.ring.PeerRing;
import io.pipedevice.peer.ring.SendRing;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.ReadyReader;
import io.pipedevice.peer.wait.ReadyWriter;
import io.pipedevice.peer.wait.WakeUpCost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** One side of a link whose two sides are in the process of the test. Counts the rings of bells. */
public final class FakeLink implements RingLink, RingLender, AutoCloseable {
    final AtomicInteger rings = new AtomicInteger();
    final List<SendRing> given = new ArrayList<>();
    final Map<Integer, SharedRegion> ownRings = new ConcurrentHashMap<>();
    volatile boolean broken;

    /** The socket whose watchers the other side's rings wake; null while there is none. */
    volatile PeerSocket socket;

    volatile boolean exhausted;

    /** Runs when this side rings the other side's sleeper; may be null. */
    volatile Runnable whenRung;

    /** The sender whose stream went through a wide ring last; null if there was none. */
    WideSender wide;

    /** How the peer broke the protocol; null if it did not. */
    volatile String suspicion;

    final SendLimit sendLimit = new SendLimit();
    int releases;
    int returnedRings;
    private final WakeUpCost wakeUpCost = new WakeUpCost();
    private final SharedRegion region;
    private final LinkMemory own;
    private FakeLink other;
    private int lastRing;

    private FakeLink() throws IOException {
        region = SharedRegion.create("fake-link", LinkMemoryDescriptor.LENGTH, false);
        own = new LinkMemory(region.memory());
    }

    /** Creates two connected sides. */
    public static FakeLink[] pair() throws IOException {
        FakeLink a = new FakeLink();
        FakeLink b = new FakeLink();
        a.other = b;
        b.other = a;
        return new FakeLink[] {a, b};
    }

    /** Sets a slot up, as connect and accept do. */
    void open(int slot, int generation) {
        int offset = LinkMemoryDescriptor.slot(slot);
        own.setRelease(offset + LinkMemoryDescriptor.TAIL_OFFSET, 0);
        for (int count = 1; count <= 2; count++) {
            own.setRelease(offset + LinkMemoryDescriptor.ringOffset(count), LinkMemoryDescriptor.BASE_RING);
            own.setRelease(offset + LinkMemoryDescriptor.switchOffset(count), 0);
        }
        own.setRelease(offset + LinkMemoryDescriptor.HEAD_OFFSET, 0);
        own.setRelease(offset + LinkMemoryDescriptor.READ_ARM_OFFSET, 0);
        own.setRelease(offset + LinkMemoryDescriptor.WRITE_ARM_OFFSET, 0);
        own.setRelease(
                offset + LinkMemoryDescriptor.STATE_OFFSET,
                LinkMemoryDescriptor.state(generation, LinkMemoryDescriptor.OPEN));
    }

    @Override
    public SendLimit sendLimit() {
        return sendLimit;
    }

    @Override
    public LinkMemory own() {
        return own;
    }

    @Override
    public LinkMemory peer() {
        return other.own;
    }

    @Override
    public int numberOf(Bell bell) {
        return broken ? NO_BELL : 1;
    }

    @Override
    public ReadyWriter.Announcement announce(long armWord) {
        return ReadyWriter.Announcement.NONE;
    }

    @Override
    public ReadyReader readyReader(Bell bell) {
        return null;
    }

    @Override
    public void ring(long armWord, ReadyWriter.Announcement announcement) {
        rings.incrementAndGet();
        Runnable wakes = whenRung;
        if (wakes != null) {
            wakes.run();
        }
        PeerSocket rung = other.socket;
        if (rung != null) {
            rung.wakeWatchers();
        }
    }

    @Override
    public RingLender rings() {
        return this;
    }

    @Override
    public SendRing take(int size) {
        if (exhausted) {
            return null;
        }
        try {
            SharedRegion ring = SharedRegion.create("fake-ring", size, false);
            ownRings.put(++lastRing, ring);
            return new SendRing(lastRing, ring.memory().asByteBuffer());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void widened(WideSender sender) {
        wide = sender;
    }

    @Override
    public void give(SendRing ring) {
        synchronized (given) {
            given.add(ring);
        }
        // Overwrite the ring, so that a late reader finds wrong bytes.
        for (int i = 0; i < ring.bytes().capacity(); i++) {
            ring.bytes().put(i, (byte) 0x55);
        }
    }

    @Override
    public ByteBuffer ofPeer(int number, int size) throws PdException {
        return hold(number, size).region.memory().asByteBuffer().asReadOnlyBuffer();
    }

    @Override
    public PeerRing hold(int number, int size) throws PdException {
        SharedRegion ring = other.ownRings.get(number);
        if (ring == null || ring.size() != size) {
            throw new PdException(Errno.EPROTO, "no such ring");
        }
        return new PeerRing(ring);
    }

    @Override
    public int shortage() {
        return 0;
    }

    @Override
    public void release(PeerRing ring) {
        releases++;
    }

    @Override
    public void releaseReturnedRings() {
        returnedRings++;
    }

    @Override
    public void giveUp(String why) {
        throw new AssertionError(why);
    }

    @Override
    public WakeUpCost wakeUpCost() {
        return wakeUpCost;
    }

    @Override
    public boolean isBroken() {
        return broken;
    }

    @Override
    public String whyGivenUp() {
        return null;
    }

    @Override
    public void reportViolation(String how) {
        suspicion = how;
    }

    @Override
    public void closed(End end) {
        end.release();
    }

    @Override
    public void close() {
        region.close();
        ownRings.values().forEach(SharedRegion::close);
    }
}
