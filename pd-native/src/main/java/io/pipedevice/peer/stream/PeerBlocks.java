// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.memory.Gather;
import io.pipedevice.memory.SendBufferTable;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import java.nio.ByteBuffer;

/**
 * Sends from blocks in a ring of this process, which the peer reads in place. The program sends blocks in any order, in
 * parts, and any number of times. An entry for each send locates its bytes. Used by the writing thread, except where
 * noted.
 */
final class PeerBlocks {
    private static final int MOST_POSTS = LinkMemoryDescriptor.BLOCK_ENTRIES;

    /** The most bytes of a write in one block. */
    private static final int MAX_PIECE = 64 << 10;

    /**
     * The bytes in the ring from which on it pays to read the peer's HEAD, which takes its cache line from the peer.
     */
    private static final int USED_BEFORE_LOOK = 16 << 10;

    private final RingSequence rings;
    private final PeerAbsence absence;
    private final PeerSlot slot;
    private final ByteBuffer ring;
    private final int size;
    private final SendLimit limit;
    private final SendBufferTable table;

    /** How many bytes are copied before the peer is notified, so that it reads them while more are written. */
    private final int piece;

    /** The positions in the stream at which posts end, by the number of the post, for those not completed. */
    private final long[] ends = new long[MOST_POSTS];

    private long posted;
    private long completed;

    /** The HEAD from which on another try pays; {@code NEVER}: only a free can help. */
    private volatile long wanted;

    /** Creates blocks in a ring that has that many bytes of blocks, followed by the entries. */
    PeerBlocks(RingSequence rings, PeerAbsence absence, PeerSlot slot, ByteBuffer ring, int size, SendLimit limit) {
        this.rings = rings;
        this.absence = absence;
        this.slot = slot;
        this.ring = ring;
        this.size = size;
        this.limit = limit;
        this.piece = Math.min(MAX_PIECE, size / 4);
        this.table = new SendBufferTable(size, MOST_POSTS);
    }

    /** The size of the largest block. */
    int size() {
        return size;
    }

    /** Takes a block; {@link SendBufferTable#FULL} if there is no room. */
    long take(int length) throws PdException {
        if (table.used() >= USED_BEFORE_LOOK) {
            refresh();
        }
        long block = table.allocate(length);
        if (block == SendBufferTable.FULL) {
            refresh();
            block = table.allocate(length);
            if (block == SendBufferTable.FULL) {
                refused(length);
            }
        }
        return block;
    }

    int offsetOf(long block) {
        return table.pointer(block);
    }

    /** Posts a part of a block; false if too many posts are on their way, or the limit on the rate permits no byte. */
    boolean post(long block, int offset, int length) throws PdException {
        if (!mayPost() || !limit.takeAll(length)) {
            return false;
        }
        add(block, offset, length);
        publish();
        return true;
    }

    /** Publishes the end of the stream to the peer, unless that was done before. */
    private void publish() {
        long asleep = rings.publish();
        if (asleep != PeerArmWord.DISARMED) {
            slot.ring(asleep);
        }
    }

    /** Adds an entry without publishing it. */
    private void add(long block, int offset, int length) {
        ring.putLong(LinkMemoryDescriptor.blockEntry(size, posted), (long) offset << 32 | length);
        ends[(int) posted & MOST_POSTS - 1] = rings.sent() + length;
        table.sent(block, ++posted);
        rings.advance(length);
    }

    private boolean mayPost() throws PdException {
        if (posted - completed == MOST_POSTS) {
            refresh();
            if (posted - completed == MOST_POSTS) {
                refused(0);
                return false;
            }
        }
        return true;
    }

    /** Copies and posts as many bytes as there is room for. Publishes after each whole piece, and at the end. */
    void write(Gather buffers) throws PdException {
        refresh();
        try {
            while (buffers.left() > 0) {
                int length = writePiece(buffers);
                if (length == 0) {
                    break;
                }
                buffers.take(length);
                if (rings.unpublished() >= piece) {
                    publish();
                }
                refresh();
            }
        } finally {
            publish();
        }
    }

    /** Posts at most one piece. Returns its length, 0 if there is no room. */
    private int writePiece(Gather buffers) throws PdException {
        if (!mayPost()) {
            return 0;
        }
        int wish = limit.allowed((int) Math.min(buffers.left(), piece));
        if (wish == 0) {
            return 0;
        }
        int length = table.fit(wish);
        if (length == 0) {
            refused(wish);
            return 0;
        }
        length = limit.take(length);
        if (length == 0) {
            return 0;
        }
        long block = table.allocate(length);
        try {
            int offset = table.pointer(block);
            buffers.copy(ring, offset, length);
            add(block, offset, length);
        } finally {
            table.release(block);
        }
        return length;
    }

    /**
     * Whether the peer has read every send of a block.
     *
     * @throws PdException if the peer has not, and is gone
     */
    boolean isReusable(long block) throws PdException {
        requireAllocated(block);
        long send = table.lastSend(block);
        if (send > completed) {
            // In this order: a peer publishes its last HEAD before it closes.
            int errno = absence.whyGone();
            refresh();
            if (send > completed) {
                if (errno != 0) {
                    throw new PdException(errno, "");
                }
                return false;
            }
        }
        return true;
    }

    void requireAllocated(long block) {
        if (!table.isAllocated(block)) {
            throw new IllegalStateException("use of a freed block");
        }
    }

    /** Frees a block; false if it was freed before. Any thread. */
    boolean free(long block) {
        return table.release(block);
    }

    /** Called after a free: whether a thread may wait for it. Any thread. */
    boolean isFreeAwaited() {
        boolean awaited = wanted == SendBufferTable.NEVER;
        if (awaited) {
            wanted = 0;
        }
        return awaited;
    }

    /** Whether another try pays after a refusal. Any thread. */
    boolean isWritable() {
        long seen = slot.isMet() ? slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET) : 0;
        return seen >= wanted;
    }

    /** Reads how much the peer has consumed, and reclaims the blocks that this frees. */
    private void refresh() throws PdException {
        rings.refresh();
        long head = rings.head();
        while (completed < posted && ends[(int) completed & MOST_POSTS - 1] <= head) {
            completed++;
        }
        table.reclaim(completed);
    }

    /** Records that there was no room for a block of some length, or, if that is 0, for a post. */
    private void refused(int length) {
        long send = completed + 1;
        if (length > 0) {
            // In this order: a thread that frees a block after this thread has searched the table sees that it waits
            // for a free.
            wanted = SendBufferTable.NEVER;
            send = table.sendToAwait(length);
        }
        if (send != SendBufferTable.NEVER) {
            wanted = send <= completed ? 0 : ends[(int) (send - 1) & MOST_POSTS - 1];
        }
        slot.ownWord(LinkMemoryDescriptor.WANTED_OFFSET, wanted);
    }
}
