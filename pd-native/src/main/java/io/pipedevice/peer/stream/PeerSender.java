// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.ByteSource;
import io.pipedevice.lib.PdException;
import io.pipedevice.memory.Gather;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.ring.SendRing;
import java.nio.ByteBuffer;

/**
 * The sending half: copies the program's bytes into a ring of this process, which {@link RingGrowth} chooses, and
 * publishes them to the peer. Used by the writing thread, except where noted.
 */
final class PeerSender {
    /** The most bytes that are copied before they are published: the peer copies them out while more are written. */
    private static final int MAX_PIECE = 64 << 10;

    /**
     * The most bytes that a write to a peer that has closed takes: as many as the JDK's streams write at a time. So the
     * rest of a large write finds the reset, as over TCP.
     */
    private static final int MOST_LOST = 128 << 10;

    /** More bytes than any ring holds. */
    private static final int MUCH = 1 << 29;

    private final PeerSlot slot;
    private final PeerAbsence absence;

    /** The half of the other direction. */
    private final PeerReceiver receiver;

    private final RingSequence rings;
    private final SendLimit limit;
    private final RingGrowth growth;
    private final Gather gather = new Gather();

    /** The blocks in which the stream continues once the program has taken one; null before. Any thread reads it. */
    private volatile PeerBlocks blocks;

    /** The position that the peer must have read before the ring of blocks can be announced. Any thread reads it. */
    private volatile long blocksAwait;

    PeerSender(PeerSlot slot, PeerAbsence absence, PeerReceiver receiver, RingLimits limits) {
        this.slot = slot;
        this.absence = absence;
        this.receiver = receiver;
        this.rings = new RingSequence(slot);
        this.limit = slot.link.sendLimit();
        this.growth = new RingGrowth(slot, rings, limits);
    }

    int write(ByteBuffer source) throws PdException {
        int flags = slot.metFlags();
        if (absence.whyGone(flags) != 0) {
            int length = (int) writeToNobody(flags, source.remaining());
            source.position(source.position() + length);
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

    /** Writes several buffers. Publishes after each {@link #MAX_PIECE} bytes, and at the end. */
    long write(ByteBuffer[] sources, int offset, int length) throws PdException {
        long all = gather.begin(sources, offset, length);
        long taken;
        try {
            int flags = slot.metFlags();
            if (absence.whyGone(flags) != 0) {
                gather.take(writeToNobody(flags, all));
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
                int length = limit.take(pieceOf(Math.min(gather.available(), room)));
                if (length == 0) {
                    break;
                }
                rings.put(source, gather.position(), length);
                gather.take(length);
                publishPiece();
            }
        } finally {
            publish();
            growth.end();
        }
    }

    /** Copies the bytes that there is room for. Publishes whole pieces; the caller publishes the rest. */
    private int append(ByteBuffer source) throws PdException {
        int before = source.position();
        int position = before;
        int left = source.limit() - before;
        while (left > 0) {
            int room = room(left);
            if (room == 0) {
                break;
            }
            int length = limit.take(pieceOf(Math.min(left, room)));
            if (length == 0) {
                break;
            }
            rings.put(source, position, length);
            position += length;
            left -= length;
            // Updated in each round, so that the position is right even if the next round fails.
            source.position(position);
            publishPiece();
        }
        return position - before;
    }

    /** Writes bytes of a source. Publishes after each {@link #MAX_PIECE} bytes, and at the end. */
    long write(ByteSource source, long from, long most) throws PdException {
        int flags = slot.metFlags();
        if (absence.whyGone(flags) != 0) {
            return writeToNobody(flags, most);
        }
        if (blocks != null) {
            // A program that writes in place has buffers of its own, and rarely files.
            ByteBuffer piece = ByteBuffer.allocate((int) Math.min(most, MAX_PIECE));
            return writeInBlocks(piece.limit(source.put(from, piece, 0, piece.capacity())));
        }
        growth.begin();
        try {
            growth.beforeWrite(most);
            return append(source, from, most);
        } finally {
            publish();
            growth.end();
        }
    }

    private long append(ByteSource source, long from, long most) throws PdException {
        long taken = 0;
        try {
            while (taken < most) {
                int room = room((int) Math.min(most - taken, MUCH));
                int length = room == 0 ? 0 : limit.take(pieceOf((int) Math.min(most - taken, room)));
                int count = length == 0 ? 0 : rings.put(source, from + taken, length);
                taken += count;
                publishPiece();
                if (count == 0 || count < length) {
                    break;
                }
            }
        } catch (PdException e) {
            if (taken == 0) {
                throw e;
            }
            // The bytes that were taken count. The next write finds the same failure.
        }
        return taken;
    }

    /**
     * Room for some of the wanted bytes, in a larger ring if the present one is full. None, and no larger ring, while
     * the limit on the rate permits no byte.
     */
    private int room(int wanted) throws PdException {
        int allowed = limit.allowed(wanted);
        if (allowed == 0) {
            return 0;
        }
        int room = rings.room();
        return room >= allowed ? room : growth.makeRoom(allowed);
    }

    private int pieceOf(int length) {
        return Math.min(length, MAX_PIECE - (int) rings.unpublished());
    }

    private void publishPiece() {
        if (rings.unpublished() == MAX_PIECE) {
            publish();
        }
    }

    /** Publishes the end of the stream to the peer, unless that was done before. */
    private void publish() {
        long asleep = rings.publish();
        if (asleep != PeerArmWord.DISARMED) {
            slot.ring(asleep);
            growth.peerSlept();
        }
    }

    /** Returns how many of the bytes are lost; the caller takes those. */
    private long writeToNobody(int flags, long length) throws PdException {
        if (length > 0 || absence.isKnown(flags)) {
            sendToNobody(flags);
        }
        return Math.min(length, MOST_LOST);
    }

    private void sendToNobody(int flags) throws PdException {
        absence.requireFirst(flags);
        absence.lost(receiver.isEndHeldUp());
    }

    /** Whether the peer is gone. The first send is then lost and answered by a reset, as with TCP; later ones throw. */
    boolean isToNobody() throws PdException {
        int flags = slot.metFlags();
        if (absence.whyGone(flags) == 0) {
            return false;
        }
        sendToNobody(flags);
        return true;
    }

    /**
     * Writes a byte that a reader skips if it wants no urgent data in its stream; drops it if that is not possible now.
     */
    void offerUrgent(byte value) throws PdException {
        if (isToNobody() || blocks != null || isUrgentUnread()) {
            return;
        }
        boolean written = false;
        slot.ownWord(LinkMemoryDescriptor.URGENT_OFFSET, slot.ownWord(LinkMemoryDescriptor.TAIL_OFFSET) + 1);
        try {
            written = write(ByteBuffer.wrap(new byte[] {value})) > 0;
        } finally {
            if (!written) {
                slot.ownWord(LinkMemoryDescriptor.URGENT_OFFSET, 0);
            }
        }
    }

    /** Whether the reader has not passed the last byte of urgent data: there is one place to tell where it is. */
    private boolean isUrgentUnread() {
        long last = slot.ownWord(LinkMemoryDescriptor.URGENT_OFFSET);
        return last != 0 && (!slot.isMet() || slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET) < last);
    }

    /** The blocks; null before {@link #enterBlocks}. Any thread. */
    PeerBlocks blocks() {
        return blocks;
    }

    /** The size of the largest block. Any thread. */
    int largestBlock() {
        PeerBlocks inBlocks = blocks;
        return inBlocks == null ? growth.largestBlock() : inBlocks.size();
    }

    /** Makes the stream continue in blocks. Null while the peer has not read beyond the last switch of rings. */
    SendRing enterBlocks() throws PdException {
        int length = growth.largestBlock();
        SendRing ring = growth.enterBlocks(length);
        if (ring == null) {
            blocksAwait = rings.nextAfter();
        } else {
            blocks = new PeerBlocks(rings, absence, slot, ring.bytes(), length, limit);
        }
        return ring;
    }

    /** The choice of the ring, which grows when a write finds no room. */
    RingGrowth growth() {
        return growth;
    }

    /**
     * Whether another write pays after one found no room: a quarter of the ring is free, or growth granted, and the
     * limit on the rate permits bytes. If it does not, the end is woken when it does. Any thread; one that then sleeps
     * has armed.
     */
    boolean isWritable(RingLink.End end) {
        return hasRoom() && limit.permits(end);
    }

    private boolean hasRoom() {
        PeerBlocks inBlocks = blocks;
        return inBlocks == null ? growth.isGranted() || rings.hasQuarter(blocksAwait) : inBlocks.isWritable();
    }

    /** As {@link RingSequence#isConsumed}. Any thread, after the last write. */
    boolean isConsumed() {
        return rings.isConsumed();
    }

    /** As {@link RingSequence#holdsUpItsEnd}. */
    boolean holdsUpItsEnd() {
        return rings.holdsUpItsEnd();
    }

    /** The end was closed by its program. */
    void closed(RingLink.End end) {
        limit.forget(end);
        growth.closed();
    }

    /** Gives the larger rings back after the last write and the peer's last read. The caller holds the link's lock. */
    void release() {
        growth.release();
        rings.release();
    }
}
