// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import java.nio.ByteBuffer;

/**
 * The peer's rings that a stream lies in, one after the other, as the peer announces them: follows the stream from one to the
 * next. Each word of the peer's is read once, and checked. Belongs to the reading thread, except what says otherwise.
 */
final class PeerRingSequence {
    private final PeerSlot slot;
    private ByteBuffer bytes;
    private int base;
    private int size;

    /** Most bytes that are not consumed. */
    private long most;

    /** Where bytes lie in a ring of blocks; null in one where they follow each other. */
    private BlockEntries entries;

    private long ringWord;

    /** Where the stream entered the present ring. */
    private long enteredAt;

    /** The ring that the bytes from a position on lie in; 0 if the stream does not leave the present one. */
    private long nextRingWord;

    private long switchAt;

    /** The one after that; 0 if the stream does not leave the next one. */
    private long afterNextRingWord;

    private long switchAfterNextAt;

    /** How often the stream has entered another ring. */
    private int switches;

    /** The shortage for which the next ring could not be had; 0 if it could, or was not wanted. Any thread reads it. */
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

    /** What names the present ring. */
    long ringWord() {
        return ringWord;
    }

    /** From which position on the stream lies in the present ring. */
    long enteredAt() {
        return enteredAt;
    }

    /** Whether the present ring is one of blocks. */
    boolean isOfBlocks() {
        return entries != null;
    }

    /** Where a byte of the present ring lies, once {@link #piece} was asked for its position. */
    int offset(long position) {
        return entries == null ? (int) position & size - 1 : entries.offset(position);
    }

    /** Copies bytes that lie in one piece from a position on. */
    void copy(long position, ByteBuffer target, int at, int length) {
        target.put(at, bytes, base + offset(position), length);
    }

    /** How much lies in one piece from a position on, which is before the tail; 0 while its ring cannot be had. */
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

    /** False if it cannot be had now. */
    private boolean enterNext() throws PdException {
        int number = LinkMemoryDescriptor.ringNumber(nextRingWord);
        int length = LinkMemoryDescriptor.ringLength(nextRingWord);
        if (number == 0) {
            bytes = slot.peer.bytes();
            base = LinkMemoryDescriptor.baseRing(slot.number);
            entries = null;
            slot.link.forgetRings();
        } else {
            boolean blocks = LinkMemoryDescriptor.isOfBlocks(nextRingWord);
            ByteBuffer ring = slot.link.peerRing(number, LinkMemoryDescriptor.ringMemory(nextRingWord));
            awaitsRing = ring == null ? slot.link.shortage() : 0;
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

    /** Looks which rings the peer has announced; none of them begins before the tail as it was seen before. */
    void lookForSwitches(long tail) throws PdException {
        if (nextRingWord == 0) {
            long word = announced(switches + 1);
            if (word == 0) {
                return;
            }
            // Nothing of a switch that cannot be is kept: a read that has copied something before ends without the
            // failure.
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

    /** Whether each ring can hold what lies in it, if so much is written and read. */
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

    /** The ring of a switch, once and checked; 0 if the peer has not told of it. */
    private long announced(int count) throws PdException {
        long word = slot.peerWord(LinkMemoryDescriptor.ringOffset(count));
        if (!LinkMemoryDescriptor.isSwitch(word, count)) {
            return 0;
        }
        if (!LinkMemoryDescriptor.isRing(word)) {
            throw new PdException(Errno.EPROTO, "the peer named a ring that is none");
        }
        return word;
    }

    /** Where a switch that was announced is, once and checked: beyond the one before, for every ring holds something. */
    private long position(int count, long before, long tail) throws PdException {
        long at = slot.peerWord(LinkMemoryDescriptor.switchOffset(count));
        if (at < tail || at <= before) {
            throw new PdException(Errno.EPROTO, "the peer changed rings where it cannot");
        }
        return at;
    }

    /** Whether the next ring cannot be had for want of a descriptor, and still for the same one. Any thread. */
    boolean isStuck() {
        int awaited = awaitsRing;
        return awaited != 0 && slot.link.shortage() == awaited;
    }
}
