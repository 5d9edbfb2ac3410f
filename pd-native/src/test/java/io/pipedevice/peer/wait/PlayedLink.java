// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.linux.DoorbellMessage;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.protocol.ReadySetDescriptor;
import io.pipedevice.peer.ring.PeerRing;
import io.pipedevice.peer.ring.SendRing;
import io.pipedevice.peer.stream.RingLender;
import io.pipedevice.peer.stream.RingLink;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.CopyOnWriteArrayList;

/** A link whose peer this process plays. */
final class PlayedLink implements RingLink, RingLender {
    private static final int LENGTH = LinkMemoryDescriptor.HEADER_LENGTH;

    private final WakeUpCost wakeUpCost = new WakeUpCost();
    private final CopyOnWriteArrayList<Bell> bells = new CopyOnWriteArrayList<>();
    private final LinkMemory own;
    private final LinkMemory peer;

    /** The peer's writer; null if it has no ready rings. */
    private final ReadyWriter writer;

    /** The most bells that the peer can know. */
    volatile int mostBells = PeerArmWord.MAX_BELLS;

    volatile boolean broken;

    /** The number of rings by the peer. */
    volatile int rings;

    /** Creates a link whose peer has no ready rings. */
    PlayedLink() {
        this(Arena.ofAuto().allocate(LENGTH, 64), Arena.ofAuto().allocate(LENGTH, 64), false);
    }

    private PlayedLink(MemorySegment own, MemorySegment peer, boolean readySets) {
        this.own = new LinkMemory(own);
        this.peer = new LinkMemory(peer);
        writer = readySets ? new ReadyWriter(/* own= */ this.peer, /* peer= */ this.own) : null;
    }

    /** Creates a link whose peer has a ready ring for each bell. */
    static PlayedLink withReadyRings() throws IOException {
        return new PlayedLink(memory(), memory(), true);
    }

    /** Sparse memory, which stays mapped until the end of this process. */
    private static MemorySegment memory() throws IOException {
        return SharedRegion.create("played", LinkPages.length(), false).memory();
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
    public synchronized int numberOf(Bell bell) {
        int number = bells.indexOf(bell);
        if (number >= 0) {
            return number;
        }
        if (bells.size() >= mostBells) {
            return NO_BELL;
        }
        bells.add(bell);
        return bells.size() - 1;
    }

    @Override
    public ReadyWriter.Announcement announce(long armWord) {
        return writer == null ? ReadyWriter.Announcement.NONE : writer.announce(armWord);
    }

    @Override
    public ReadyReader readyReader(Bell bell) {
        if (writer == null) {
            return null;
        }
        int number = numberOf(bell);
        writer.open(number);
        return new ReadyReader(this, number);
    }

    /** Unlike in a real link, the caller plays the peer, which rings a bell of this process. */
    @Override
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    public synchronized void ring(long armWord, ReadyWriter.Announcement announcement) {
        rings++;
        UnixSocket end = bells.get(PeerArmWord.bell(armWord)).ringingEnd();
        int cookie = PeerArmWord.cookie(armWord);
        long state = writer == null ? ReadySetDescriptor.UNREAD : writer.state(armWord);
        DoorbellMessage.Sent sent = DoorbellMessage.send(end.fd(), cookie);
        if (writer != null) {
            writer.rung(armWord, state);
        }
        if (sent == DoorbellMessage.Sent.FULL) {
            long overflows = peer.getAcquire(LinkMemoryDescriptor.OVERFLOW_OFFSET);
            peer.setRelease(LinkMemoryDescriptor.OVERFLOW_OFFSET, overflows + 1);
            VarHandle.fullFence();
            DoorbellMessage.send(end.fd(), cookie);
        }
        if (writer != null && announcement == ReadyWriter.Announcement.NONE) {
            writer.announceRung(armWord);
        }
    }

    /** The bell that the peer knows by a number. */
    Bell bell(int number) {
        return bells.get(number);
    }

    @Override
    public void widened(WideSender sender) {
        // No thread sweeps this link.
    }

    @Override
    public RingLender rings() {
        return this;
    }

    @Override
    public SendRing take(int size) {
        return null;
    }

    @Override
    public void give(SendRing ring) {
        throw new AssertionError("it has none");
    }

    @Override
    public ByteBuffer ofPeer(int number, int size) {
        throw new AssertionError("it has none");
    }

    @Override
    public PeerRing hold(int number, int size) {
        throw new AssertionError("it has none");
    }

    @Override
    public int shortage() {
        return 0;
    }

    @Override
    public void release(PeerRing ring) {
        throw new AssertionError("it has none");
    }

    @Override
    public void releaseReturnedRings() {
        throw new AssertionError("it has none");
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
        throw new AssertionError(how);
    }

    @Override
    public void closed(End end) {
        throw new AssertionError("it has none");
    }
}
