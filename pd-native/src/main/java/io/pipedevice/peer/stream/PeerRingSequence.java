// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.ProgramMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import java.nio.ByteBuffer;

/**
 * Follows a stream through the rings of the peer, in the order in which the peer announces them. Each word of the peer
 * is read once, and checked. Used by the reading thread, except where noted.
 */
final class PeerRingSequence {
    private final PeerSlot slot;
    private ByteBuffer bytes;
    private int base;
    private int size;

    /** The most unconsumed bytes that the present ring can hold. */
    private long most;

    /** The entries of a ring of blocks; null in a ring where the bytes follow each other. */
    private BlockEntries entries;

    private long ringWord;

    /** The position at which the stream entered the present ring. */
    private long enteredAt;

    /**
     * The next ring, which holds the bytes from {@link #switchAt} on; 0 if the stream does not leave the present one.
     */
    private long nextRingWord;

    private long switchAt;

    /** The ring after the next one; 0 if the stream does not leave the next one. */
    private long afterNextRingWord;

    private long switchAfterNextAt;

    /** How often the stream has entered another ring. */
    private int switches;

    /** The shortage that kept the next ring from being mapped; 0 if there was none. Any thread reads it. */
    private volatile int awaitsRing;

    PeerRingSequence(PeerSlot slot) {
        this.slot = slot;
        this.bytes = slot.peer.bytes();
        this.base = LinkMemoryDescriptor.baseRing(slot.number);
        this.size = LinkMemoryDescriptor.BASE_RING_LENGTH;
        this.most = size;
        this.ringWord = LinkMemoryDescriptor.BASE_RING;
    }

    /** The length of the present ring, without the entries of blocks. */
    int size() {
        return size;
    }

    /** The RING word of the present ring. */
    long ringWord() {
        return ringWord;
    }

    /** The position from which on the stream lies in the present ring. */
    long enteredAt() {
        return enteredAt;
    }

    /** Whether the present ring is a ring of blocks. */
    boolean isOfBlocks() {
        return entries != null;
    }

    /** The offset of a byte in the present ring, after {@link #piece} was called for its position. */
    int offset(long position) {
        return entries == null ? (int) position & size - 1 : entries.offset(position);
    }

    /** Copies contiguous bytes from a position on. */
    void copy(long position, ByteBuffer target, int at, int length) {
        ProgramMemory.read(target, at, bytes, base + offset(position), length);
    }

    /**
     * The number of contiguous bytes from the head on, which is before the tail; 0 while their ring cannot be mapped.
     */
    int piece(long head, long tail, int limit) throws PdException {
        long end = tail;
        if (nextRingWord != 0 && head == switchAt && !enterNext()) {
            return 0;
        }
        if (nextRingWord != 0) {
            end = Math.min(tail, switchAt);
        }
        if (entries != null) {
            return (int) Math.min(entries.end(head, end) - head, limit);
        }
        int inRing = size - ((int) head & size - 1);
        return Math.min((int) Math.min(end - head, limit), inRing);
    }

    /** Enters the next ring. False if it cannot be mapped now. */
    private boolean enterNext() throws PdException {
        int number = LinkMemoryDescriptor.ringNumber(nextRingWord);
        int length = LinkMemoryDescriptor.ringLength(nextRingWord);
        if (number == 0) {
            bytes = slot.peer.bytes();
            base = LinkMemoryDescriptor.baseRing(slot.number);
            entries = null;
            slot.rings.releaseReturnedRings();
        } else {
            boolean blocks = LinkMemoryDescriptor.isOfBlocks(nextRingWord);
            ByteBuffer ring = slot.rings.ofPeer(number, LinkMemoryDescriptor.ringMemory(nextRingWord));
            awaitsRing = ring == null ? slot.rings.shortage() : 0;
            if (ring == null) {
                return false;
            }
            bytes = ring;
            base = 0;
            entries = blocks ? new BlockEntries(bytes, length, switchAt) : null;
        }
        size = length;
        most = LinkMemoryDescriptor.mostUnread(nextRingWord);
        enteredAt = switchAt;
        ringWord = nextRingWord;
        switches++;
        nextRingWord = afterNextRingWord;
        switchAt = switchAfterNextAt;
        afterNextRingWord = 0;
        return true;
    }

    /** Reads which rings the peer has announced. None of them may begin before the previously read tail. */
    void lookForSwitches(long tail) throws PdException {
        if (nextRingWord == 0) {
            long word = announced(switches + 1);
            if (word == 0) {
                return;
            }
            // The switch is checked before any of it is kept: a read that has copied bytes before returns them without
            // the failure.
            switchAt = position(switches + 1, switches == 0 ? -1 : enteredAt, tail);
            nextRingWord = word;
        }
        if (afterNextRingWord == 0) {
            long word = announced(switches + 2);
            if (word != 0) {
                switchAfterNextAt = position(switches + 2, switchAt, tail);
                afterNextRingWord = word;
            }
        }
    }

    /** Whether each ring can hold its unread bytes, with this much written and read. */
    boolean hold(long written, long head) {
        if (nextRingWord == 0) {
            return written - head <= most;
        }
        long inNext = afterNextRingWord == 0 ? written : Math.min(written, switchAfterNextAt);
        return Math.min(written, switchAt) - head <= most
                && inNext - switchAt <= LinkMemoryDescriptor.mostUnread(nextRingWord)
                && (afterNextRingWord == 0
                        || written - switchAfterNextAt <= LinkMemoryDescriptor.mostUnread(afterNextRingWord));
    }

    /** The RING word of a switch, read once and checked; 0 if the peer has not announced it. */
    private long announced(int count) throws PdException {
        long word = slot.peerWord(LinkMemoryDescriptor.ringOffset(count));
        if (!LinkMemoryDescriptor.isSwitch(word, count)) {
            return 0;
        }
        if (!LinkMemoryDescriptor.isRing(word)) {
            throw new PdException(Errno.EPROTO, "the peer named an invalid ring");
        }
        return word;
    }

    /** The position of an announced switch, read once and checked. It must follow the last one: no ring stays empty. */
    private long position(int count, long before, long tail) throws PdException {
        long at = slot.peerWord(LinkMemoryDescriptor.switchOffset(count));
        if (at < tail || at <= before) {
            throw new PdException(Errno.EPROTO, "the peer changed rings at an invalid position");
        }
        return at;
    }

    /** Whether the shortage that kept the next ring from being mapped still lasts. Any thread. */
    boolean isStuck() {
        int awaited = awaitsRing;
        return awaited != 0 && slot.rings.shortage() == awaited;
    }
}
