// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.ring.SendRing;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A stream as it lies in this side's rings, one after the other: how far it goes, how far the peer is, and which rings the
 * peer has not read to their ends. Belongs to the writing thread, except what says otherwise.
 */
final class RingSequence {
    private final PeerSlot slot;
    private ByteBuffer bytes;
    private int base;
    private int size;
    private long tail;

    /** What of that the peer was told. */
    private long told;

    /** What the peer was last seen to have consumed. */
    private long head;

    /** Where the stream entered the present ring, and the one before; below 0 if it did not. */
    private long switchedAt = -1;

    private long switchedBefore = -1;

    /** How often the stream has entered another ring. */
    private int switches;

    /** Null for the base ring. */
    private SendRing current;

    /** The one before, and the one before that, until the peer has read them to their ends; null for the base ring. */
    private SendRing previous;

    private SendRing beforePrevious;

    /** The arm word of the peer's reader that was rung last. */
    private long rung;

    /** What other threads need to know to compute {@link #hasQuarter}; in this order set, tail first. */
    private volatile long publishedTail;

    private volatile int publishedSize;
    private volatile long publishedSwitch;

    RingSequence(PeerSlot slot) {
        this.slot = slot;
        this.bytes = slot.own.bytes();
        this.base = LinkMemoryDescriptor.baseRing(slot.number);
        this.size = LinkMemoryDescriptor.BASE_RING_LENGTH;
        this.publishedSize = size;
    }

    /** The length of the present ring. */
    int size() {
        return size;
    }

    boolean isBase() {
        return current == null;
    }

    /** What the peer was last seen to have consumed. */
    long head() {
        return head;
    }

    /** Bytes written since the beginning, or a little fewer if another thread than the writing one asks. */
    long sent() {
        return tail;
    }

    /** How many bytes the peer does not know of. */
    long unpublished() {
        return tail - told;
    }

    /** How much the present ring has room for, as far as the peer was seen to have consumed. */
    int room() {
        return size - (int) (tail - Math.max(head, switchedAt));
    }

    /** Whether the peer has come to the present ring, and so can be told of two others. */
    boolean isEntered() {
        return head > switchedAt;
    }

    /** Whether the peer has read everything, and the last of it in the present ring. */
    boolean isRead() {
        return head == tail && isEntered();
    }

    /** Whether there is a place to tell the peer of one more ring. */
    boolean maySwitch() {
        return head > switchedBefore;
    }

    /** Whether the peer can be told of one more ring, and of no other before it has read from the present one. */
    boolean isNextLast() {
        return switches > 0 && !isEntered();
    }

    /** From which position on the peer must have read before it can be told of two more rings. */
    long nextAfter() {
        return switchedAt + 1;
    }

    /** Copies bytes into the present ring, which has room for them. */
    void put(ByteBuffer source, int position, int length) {
        int offset = (int) tail & size - 1;
        int first = Math.min(length, size - offset);
        bytes.put(base + offset, source, position, first);
        if (first < length) {
            bytes.put(base, source, position + first, length - first);
        }
        tail += length;
    }

    /** So many bytes more are in the stream, which the caller has put there; {@link #publish} tells the peer. */
    void advance(int length) {
        tail += length;
    }

    /**
     * Tells the peer how far the stream goes, if it does not know.
     *
     * @return what the caller has to ring the peer's reader by, which was asleep; {@link PeerArmWord#DISARMED} if it was not.
     *     The caller rings, as each call between it and the kernel counts
     */
    long publish() {
        if (told == tail) {
            return PeerArmWord.DISARMED;
        }
        told = tail;
        slot.ownWord(LinkMemoryDescriptor.TAIL_OFFSET, tail);
        // The reader announces its sleep, fences, and looks at the tail: either it sees this one, or we see it sleep.
        VarHandle.fullFence();
        if (slot.isMet()) {
            long word = slot.peerWord(LinkMemoryDescriptor.READ_ARM_OFFSET);
            if (word != rung && word != PeerArmWord.DISARMED) {
                rung = word;
                return word;
            }
        }
        return PeerArmWord.DISARMED;
    }

    /** A write was refused: other threads may ask when there is room again. */
    void refused() {
        publishedTail = tail;
    }

    /** Takes the peer's count of bytes consumed, once and checked. */
    void refresh() throws PdException {
        if (!slot.isMet()) {
            return;
        }
        long seen = slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET);
        if (seen < head || seen > tail) {
            throw new PdException(Errno.EPROTO, "the peer consumed what was not sent");
        }
        head = seen;
        if (beforePrevious != null && head >= switchedBefore) {
            slot.link.giveRing(beforePrevious);
            beforePrevious = null;
        }
        if (previous != null && head >= switchedAt) {
            givePrevious();
        }
    }

    /** Gives back the ring before the present one, which the peer has read to its end. */
    void givePrevious() {
        if (previous != null) {
            slot.link.giveRing(previous);
            previous = null;
        }
    }

    /** The stream goes on in the base ring. */
    void enterBase() {
        bytes = slot.own.bytes();
        base = LinkMemoryDescriptor.baseRing(slot.number);
        enter(null, LinkMemoryDescriptor.BASE_RING_LENGTH, (int) LinkMemoryDescriptor.BASE_RING);
    }

    /** The stream goes on in a larger ring. */
    void enter(SendRing ring) {
        bytes = ring.bytes();
        base = 0;
        int length = bytes.capacity();
        enter(ring, length, Integer.numberOfTrailingZeros(length));
    }

    /** The stream goes on in a ring that has so many bytes of blocks, and goes on there for good. */
    void enterBlocks(SendRing ring, int length) {
        enter(ring, length, Integer.numberOfTrailingZeros(length) | LinkMemoryDescriptor.BLOCKS);
    }

    private void enter(SendRing ring, int length, int kind) {
        beforePrevious = previous;
        previous = current;
        current = ring;
        size = length;
        switches++;
        switchedBefore = switchedAt;
        switchedAt = tail;
        publishedSwitch = tail;
        publishedSize = size;
        int number = ring == null ? 0 : ring.number();
        slot.ownWord(LinkMemoryDescriptor.switchOffset(switches), tail);
        slot.ownWord(LinkMemoryDescriptor.ringOffset(switches), LinkMemoryDescriptor.ringWord(number, kind, switches));
    }

    /** Gives the larger rings back: nobody writes any more, and the peer reads no more. The caller has the link's lock. */
    void release() {
        if (beforePrevious != null) {
            slot.link.giveRing(beforePrevious);
            beforePrevious = null;
        }
        givePrevious();
        if (current != null) {
            slot.link.giveRing(current);
            current = null;
        }
    }

    /**
     * Whether a quarter of the ring is free after a write was refused. Any thread.
     *
     * @param least what the peer must have read besides
     */
    boolean hasQuarter(long least) {
        // A peer that has not accepted yet has consumed nothing.
        long seen = Math.max(consumed(), publishedSwitch);
        return seen >= least && publishedTail - seen <= publishedSize - (publishedSize >> 2);
    }

    /** What the peer says it has consumed, unchecked; 0 while it has not accepted. Any thread. */
    private long consumed() {
        return slot.isMet() ? slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET) : 0;
    }

    /** Whether the peer was seen to have consumed everything. Any thread, once nobody writes. */
    boolean isConsumed() {
        return slot.isMet() && slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET) == tail;
    }

    /**
     * Whether the end of the stream, over TCP, would still wait behind bytes for which the peer has no room: a reset overtakes
     * it then. The peer may have read an eighth of the ring more than it has said.
     */
    boolean holdsUpItsEnd() {
        return TcpBuffer.isTooMuch(tail - consumed() - (size >> 3), size);
    }
}
