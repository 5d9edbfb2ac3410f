// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.memory.Gather;
import io.pipedevice.memory.SendBufferTable;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import java.nio.ByteBuffer;

/**
 * Sends from blocks in a ring of this process's own, which the peer reads where they lie: in any order, in parts, and as
 * often as the program likes. An entry for each send says where its bytes are. Belongs to the writing thread, except what
 * says otherwise.
 */
final class PeerBlocks {
    private static final int MOST_POSTS = LinkMemoryDescriptor.BLOCK_ENTRIES;

    /** Most bytes of a write in one block. */
    private static final int MAX_PIECE = 64 << 10;

    /** What lies in the ring before it is worth while to take the line of the peer's head from it. */
    private static final int USED_BEFORE_LOOK = 16 << 10;

    private final RingSequence rings;
    private final PeerAbsence absence;
    private final PeerSlot slot;
    private final ByteBuffer ring;
    private final int size;
    private final SendBufferTable table;

    /** How much is copied before the peer is told: it reads that while more is written. */
    private final int piece;

    /** Positions in the stream where the posts end that are not completed, by their numbers. */
    private final long[] ends = new long[MOST_POSTS];

    private long posted;
    private long completed;

    /** What the peer must have consumed before it is worth while to try again; {@code NEVER}: a free is needed. */
    private volatile long wanted;

    /** The ring has so many bytes of blocks, and then the entries. */
    PeerBlocks(RingSequence rings, PeerAbsence absence, PeerSlot slot, ByteBuffer ring, int size) {
        this.rings = rings;
        this.absence = absence;
        this.slot = slot;
        this.ring = ring;
        this.size = size;
        this.piece = Math.min(MAX_PIECE, size / 4);
        this.table = new SendBufferTable(size, MOST_POSTS);
    }

    /** Largest block. */
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

    /** Posts a part of the ring, which lies in a block; false if too much is on its way. */
    boolean post(long block, int offset, int length) throws PdException {
        if (!mayPost()) {
            return false;
        }
        add(block, offset, length);
        publish();
        return true;
    }

    /** Tells the peer how far the stream goes, if it does not know. */
    private void publish() {
        long asleep = rings.publish();
        if (asleep != PeerArmWord.DISARMED) {
            slot.ring(asleep);
        }
    }

    /** Adds an entry, of which the peer is not told yet. */
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

    /** Copies and posts as much as there is room for; the peer is told of all at once, but for whole pieces. */
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

    /** Returns how much was posted, 0 if there is no room. */
    private int writePiece(Gather buffers) throws PdException {
        if (!mayPost()) {
            return 0;
        }
        int wish = (int) Math.min(buffers.left(), piece);
        int length = table.fit(wish);
        if (length == 0) {
            refused(wish);
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
     * Whether nobody reads a block any more.
     *
     * @throws PdException if somebody would still have to, and is gone
     */
    boolean isReusable(long block) throws PdException {
        requireAllocated(block);
        long send = table.lastSend(block);
        if (send > completed) {
            // In this order: a peer that closes has published before what it has consumed.
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

    /** A block was freed, or is about to be looked for: whether somebody may wait for that. Any thread. */
    boolean isFreeAwaited() {
        boolean awaited = wanted == SendBufferTable.NEVER;
        if (awaited) {
            wanted = 0;
        }
        return awaited;
    }

    /** Whether it is worth while to try again after a refusal. Any thread. */
    boolean isWritable() {
        long seen = slot.isMet() ? slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET) : 0;
        return seen >= wanted;
    }

    /** Takes what the peer has consumed, and what that makes free. */
    private void refresh() throws PdException {
        rings.refresh();
        long head = rings.head();
        while (completed < posted && ends[(int) completed & MOST_POSTS - 1] <= head) {
            completed++;
        }
        table.reclaim(completed);
    }

    /** There was no room for a block of some length, or, if that is 0, for a post. */
    private void refused(int length) {
        long send = completed + 1;
        if (length > 0) {
            // In this order: a thread that frees a block after this look sees that this thread waits for it.
            wanted = SendBufferTable.NEVER;
            send = table.sendToAwait(length);
        }
        if (send != SendBufferTable.NEVER) {
            wanted = send <= completed ? 0 : ends[(int) (send - 1) & MOST_POSTS - 1];
        }
        slot.ownWord(LinkMemoryDescriptor.WANTED_OFFSET, wanted);
    }
}
