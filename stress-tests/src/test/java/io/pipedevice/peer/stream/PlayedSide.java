// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.ring.PeerRing;
import io.pipedevice.peer.ring.SendRing;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.Dispatcher;
import io.pipedevice.peer.wait.ReadyReader;
import io.pipedevice.peer.wait.ReadyWriter;
import io.pipedevice.peer.wait.WakeUpCost;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * One side of a link with both sides in this process. It records the rings of doorbells for the ringing thread, and
 * wakes no thread.
 */
public final class PlayedSide implements RingLink, RingLender {
    /** The arm word with which the calling thread last rang; 0 if it did not. */
    private final WakeUpCost wakeUpCost = new WakeUpCost();

    private static final ThreadLocal<long[]> RUNG = ThreadLocal.withInitial(() -> new long[1]);

    /** Content that no test of larger rings sends. */
    private static final byte OTHER = 0;

    private final LinkMemory own;
    private final LinkMemory peer;

    /** The only larger ring, for the side that takes it first; null if there is none. */
    private final ByteBuffer larger;

    /** Whether the larger ring was given back; belongs to the writing thread. */
    private boolean gaveRing;

    public PlayedSide(LinkMemory own, LinkMemory peer, ByteBuffer larger) {
        this.own = own;
        this.peer = peer;
        this.larger = larger;
    }

    /** The arm word with which the calling thread has rung since its last call of this method. */
    static long rung() {
        long[] rung = RUNG.get();
        long word = rung[0];
        rung[0] = PeerArmWord.DISARMED;
        return word;
    }

    @Override
    public LinkMemory own() {
        return own;
    }

    @Override
    public LinkMemory peer() {
        return peer;
    }

    @Override
    public int numberOf(Bell bell) {
        try {
            return Dispatcher.bell().equals(bell) ? PeerArmWord.DISPATCHER : PeerArmWord.DISPATCHER + 1;
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
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
        RUNG.get()[0] = armWord;
    }

    @Override
    public RingLender rings() {
        return this;
    }

    @Override
    public SendRing take(int size) {
        return larger == null ? null : new SendRing(1, larger);
    }

    @Override
    public void widened(WideSender sender) {
        // The test sweeps it by itself.
    }

    /** Simulates the next connection, which takes the ring and immediately writes into it. */
    @Override
    public void give(SendRing ring) {
        ByteBuffer bytes = ring.bytes();
        for (int i = 0; i < bytes.capacity(); i++) {
            bytes.put(i, OTHER);
        }
        gaveRing = true;
    }

    /** Whether the larger ring was given back. */
    boolean gaveRing() {
        return gaveRing;
    }

    @Override
    public ByteBuffer ofPeer(int number, int size) {
        return larger;
    }

    @Override
    public PeerRing hold(int number, int size) {
        throw new AssertionError("it lends none");
    }

    @Override
    public int shortage() {
        return 0;
    }

    @Override
    public void release(PeerRing ring) {
        throw new AssertionError("it lends none");
    }

    @Override
    public void releaseReturnedRings() {
        // The test owns the larger ring.
    }

    @Override
    public String whyGivenUp() {
        return null;
    }

    @Override
    public void reportViolation(String how) {
        throw new AssertionError(how);
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
        return false;
    }

    @Override
    public void closed(End end) {
        // The slot is reused long after all threads have left it.
    }
}
