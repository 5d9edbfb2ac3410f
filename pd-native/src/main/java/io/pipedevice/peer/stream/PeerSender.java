// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.memory.Gather;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.ring.SendRing;
import java.nio.ByteBuffer;

/**
 * The sending half: copies what the program writes into a ring of this process's own, and tells the peer how far it got.
 * {@link RingGrowth} says which ring that is. Belongs to the writing thread, except what says otherwise.
 */
final class PeerSender {
    /** Most bytes that are copied before the peer is told: it copies them out meanwhile. */
    private static final int MAX_PIECE = 64 << 10;

    /** More than any ring holds. */
    private static final int MUCH = 1 << 29;

    private final PeerSlot slot;
    private final PeerAbsence absence;

    /** The other direction's half. */
    private final PeerReceiver receiver;

    private final RingSequence rings;
    private final RingGrowth growth;
    private final Gather gather = new Gather();

    /** Set for good by the first block that the program takes: the stream goes on in blocks. Any thread reads it. */
    private volatile PeerBlocks blocks;

    /** How far the peer must have read before it can be told of the ring of blocks. Any thread reads it. */
    private volatile long blocksAwait;

    PeerSender(PeerSlot slot, PeerAbsence absence, PeerReceiver receiver, RingLimits limits) {
        this.slot = slot;
        this.absence = absence;
        this.receiver = receiver;
        this.rings = new RingSequence(slot);
        this.growth = new RingGrowth(slot, rings, limits);
    }

    int write(ByteBuffer source) throws PdException {
        int flags = slot.metFlags();
        if (absence.whyGone(flags) != 0) {
            int length = source.remaining();
            writeToNobody(flags, length);
            source.position(source.limit());
            return length;
        }
        if (blocks != null) {
            return writeInBlocks(source);
        }
        growth.begin();
        try {
            growth.beforeWrite(source.remaining());
            return append(source);
        } finally {
            publish();
            growth.end();
        }
    }

    private int writeInBlocks(ByteBuffer source) throws PdException {
        gather.begin(source);
        long taken;
        try {
            blocks.write(gather);
        } finally {
            taken = gather.end();
        }
        return (int) taken;
    }

    /** Writes several buffers; the peer finds at once what there is room for, but for pieces of {@link #MAX_PIECE}. */
    long write(ByteBuffer[] sources, int offset, int length) throws PdException {
        long all = gather.begin(sources, offset, length);
        long taken;
        try {
            int flags = slot.metFlags();
            if (absence.whyGone(flags) != 0) {
                writeToNobody(flags, all);
                gather.take(all);
            } else if (blocks != null) {
                blocks.write(gather);
            } else {
                append();
            }
        } finally {
            taken = gather.end();
        }
        return taken;
    }

    private void append() throws PdException {
        growth.begin();
        try {
            growth.beforeWrite(gather.left());
            while (gather.left() > 0) {
                int room = room((int) Math.min(gather.left(), MUCH));
                if (room == 0) {
                    break;
                }
                ByteBuffer source = gather.source();
                int length = pieceOf(Math.min(gather.available(), room));
                rings.put(source, gather.position(), length);
                gather.take(length);
                publishPiece();
            }
        } finally {
            publish();
            growth.end();
        }
    }

    /** Copies what there is room for, and tells the peer of whole pieces; the rest is for the caller to publish. */
    private int append(ByteBuffer source) throws PdException {
        int before = source.position();
        int position = before;
        int left = source.limit() - before;
        while (left > 0) {
            int room = room(left);
            if (room == 0) {
                break;
            }
            int length = pieceOf(Math.min(left, room));
            rings.put(source, position, length);
            position += length;
            left -= length;
            // At once, so that it is right also if the next round fails.
            source.position(position);
            publishPiece();
        }
        return position - before;
    }

    /** Room for some of so many bytes, in a larger ring if the present one is full. */
    private int room(int wanted) throws PdException {
        int room = rings.room();
        return room >= wanted ? room : growth.makeRoom(wanted);
    }

    private int pieceOf(int length) {
        return Math.min(length, MAX_PIECE - (int) rings.unpublished());
    }

    private void publishPiece() {
        if (rings.unpublished() == MAX_PIECE) {
            publish();
        }
    }

    /** Tells the peer how far the stream goes, if it does not know. */
    private void publish() {
        long asleep = rings.publish();
        if (asleep != PeerArmWord.DISARMED) {
            slot.ring(asleep);
            growth.peerSlept();
        }
    }

    private void writeToNobody(int flags, long length) throws PdException {
        if (length > 0 || absence.isKnown(flags)) {
            sendToNobody(flags);
        }
    }

    private void sendToNobody(int flags) throws PdException {
        absence.requireFirst(flags);
        absence.lost(receiver.isEndHeldUp());
    }

    /** Whether there is nobody to send to; what is sent first is lost, as with TCP, whose reset answers it. */
    boolean isToNobody() throws PdException {
        int flags = slot.metFlags();
        if (absence.whyGone(flags) == 0) {
            return false;
        }
        sendToNobody(flags);
        return true;
    }

    /** The ring of blocks; null before {@link #enterBlocks}. Any thread. */
    PeerBlocks blocks() {
        return blocks;
    }

    /** Largest block. Any thread. */
    int largestBlock() {
        PeerBlocks inBlocks = blocks;
        return inBlocks == null ? growth.largestBlock() : inBlocks.size();
    }

    /** Makes the stream go on in blocks; null while the peer has to read to where the stream changed rings last. */
    SendRing enterBlocks() throws PdException {
        int length = growth.largestBlock();
        SendRing ring = growth.enterBlocks(length);
        if (ring == null) {
            blocksAwait = rings.nextAfter();
        } else {
            blocks = new PeerBlocks(rings, absence, slot, ring.bytes(), length);
        }
        return ring;
    }

    /** What makes the rings larger where a write finds no room. */
    RingGrowth growth() {
        return growth;
    }

    /** Whether it is worth while to write again after a write found no room: a quarter of the ring is free. Any thread. */
    boolean isWritable() {
        PeerBlocks inBlocks = blocks;
        return inBlocks == null ? growth.isGranted() || rings.hasQuarter(blocksAwait) : inBlocks.isWritable();
    }

    /** As {@link RingSequence#isConsumed}. Any thread, once nobody writes. */
    boolean isConsumed() {
        return rings.isConsumed();
    }

    /** As {@link RingSequence#holdsUpItsEnd}. */
    boolean holdsUpItsEnd() {
        return rings.holdsUpItsEnd();
    }

    /** Gives the larger rings back: nobody writes any more, and the peer reads no more. The caller has the link's lock. */
    void release() {
        growth.release();
        rings.release();
    }
}
