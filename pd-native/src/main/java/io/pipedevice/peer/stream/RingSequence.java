// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.ByteSource;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.ProgramMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.ring.SendRing;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A stream in the rings of this side, one after the other: its end, the peer's position, and the rings that the peer
 * has not read to their ends. Used by the writing thread, except where noted.
 */
final class RingSequence {
    private final PeerSlot slot;
    private ByteBuffer bytes;
    private int base;
    private int size;
    private long tail;

    /** The part of the tail that was published to the peer. */
    private long published;

    /** The bytes that the peer has consumed, as last read. */
    private long head;

    /**
     * The positions at which the stream entered the present ring, and the one before; negative if there was no switch.
     */
    private long switchedAt = -1;

    private long switchedBefore = -1;

    /** How often the stream has entered another ring. */
    private int switches;

    /** Null for the base ring. */
    private SendRing current;

    /** The ring before, and the one before that, until the peer has read them to their ends; null for the base ring. */
    private SendRing previous;

    private SendRing beforePrevious;

    /** The arm word of the peer's reader that was rung last. */
    private long rung;

    /** Copies for other threads, which compute {@link #hasQuarter} from them. */
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

    /** The bytes that the peer has consumed, as last read. */
    long head() {
        return head;
    }

    /** The bytes written since the beginning. Another thread than the writing one may see a little fewer. */
    long sent() {
        return tail;
    }

    /** How many bytes are not published yet. */
    long unpublished() {
        return tail - published;
    }

    /** The room in the present ring, according to the last HEAD that was read. */
    int room() {
        return size - (int) (tail - Math.max(head, switchedAt));
    }

    /** Whether the peer has read from the present ring, so that two more rings can be announced. */
    boolean isEntered() {
        return head > switchedAt;
    }

    /** Whether the peer has read everything, including bytes in the present ring. */
    boolean isRead() {
        return head == tail && isEntered();
    }

    /** Whether one more ring can be announced. */
    boolean maySwitch() {
        return head > switchedBefore;
    }

    /** Whether at most one more ring can be announced before the peer has read from the present one. */
    boolean isNextLast() {
        return switches > 0 && !isEntered();
    }

    /** The position that the peer must have reached before two more rings can be announced. */
    long nextAfter() {
        return switchedAt + 1;
    }

    /**
     * Copies bytes into the present ring, which has room for them. None is written if the program's memory is not
     * there.
     */
    void put(ByteBuffer source, int position, int length) {
        int offset = (int) tail & size - 1;
        int first = Math.min(length, size - offset);
        ProgramMemory.write(bytes, base + offset, source, position, first);
        if (first < length) {
            ProgramMemory.write(bytes, base, source, position + first, length - first);
        }
        tail += length;
    }

    /** Has a source put bytes into the present ring, which has room for them. Returns how many it has put. */
    int put(ByteSource source, long from, int length) {
        int offset = (int) tail & size - 1;
        int first = Math.min(length, size - offset);
        int count = source.put(from, bytes, base + offset, first);
        if (count == first && first < length) {
            count += source.put(from + first, bytes, base, length - first);
        }
        tail += count;
        return count;
    }

    /**
     * Extends the stream by bytes that the caller has put into the ring. {@link #publish} announces them to the peer.
     */
    void advance(int length) {
        tail += length;
    }

    /**
     * Publishes the end of the stream to the peer, unless that was done before.
     *
     * @return the arm word by which the caller has to ring the peer's sleeping reader; {@link PeerArmWord#DISARMED} if
     *     it does not sleep. The caller rings itself, because each call frame before the system call costs time
     */
    long publish() {
        if (published == tail) {
            return PeerArmWord.DISARMED;
        }
        published = tail;
        slot.ownWord(LinkMemoryDescriptor.TAIL_OFFSET, tail);
        // The reader arms, fences, and reads TAIL: either it sees this one, or this thread sees the arm word.
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

    /** Records that a write was refused, so that other threads can ask when there is room again. */
    void refused() {
        publishedTail = tail;
    }

    /** Reads the peer's count of consumed bytes, once, and checks it. */
    void refresh() throws PdException {
        if (!slot.isMet()) {
            return;
        }
        long seen = slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET);
        if (seen < head || seen > tail) {
            throw new PdException(Errno.EPROTO, "the peer consumed bytes that were not sent");
        }
        head = seen;
        if (beforePrevious != null && head >= switchedBefore) {
            slot.rings.give(beforePrevious);
            beforePrevious = null;
        }
        if (previous != null && head >= switchedAt) {
            givePrevious();
        }
    }

    /** Gives back the ring before the present one, which the peer has read to its end. */
    void givePrevious() {
        if (previous != null) {
            slot.rings.give(previous);
            previous = null;
        }
    }

    /** Continues the stream in the base ring. */
    void enterBase() {
        bytes = slot.own.bytes();
        base = LinkMemoryDescriptor.baseRing(slot.number);
        enter(null, LinkMemoryDescriptor.BASE_RING_LENGTH, (int) LinkMemoryDescriptor.BASE_RING);
    }

    /** Continues the stream in a larger ring. */
    void enter(SendRing ring) {
        bytes = ring.bytes();
        base = 0;
        int length = bytes.capacity();
        enter(ring, length, Integer.numberOfTrailingZeros(length));
    }

    /** Continues the stream, for good, in a ring with that many bytes of blocks. */
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

    /** Gives the larger rings back after the last write and the peer's last read. The caller holds the link's lock. */
    void release() {
        if (beforePrevious != null) {
            slot.rings.give(beforePrevious);
            beforePrevious = null;
        }
        givePrevious();
        if (current != null) {
            slot.rings.give(current);
            current = null;
        }
    }

    /**
     * Whether a quarter of the ring is free after a write was refused. Any thread.
     *
     * @param least the position that the peer must have read as well
     */
    boolean hasQuarter(long least) {
        // A peer that has not accepted yet has not consumed any bytes.
        long seen = Math.max(consumed(), publishedSwitch);
        return seen >= least && publishedTail - seen <= publishedSize - (publishedSize >> 2);
    }

    /** The peer's count of consumed bytes, unchecked; 0 while it has not accepted. Any thread. */
    private long consumed() {
        return slot.isMet() ? slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET) : 0;
    }

    /** Whether the peer has consumed everything. Any thread, after the last write. */
    boolean isConsumed() {
        return slot.isMet() && slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET) == tail;
    }

    /**
     * Whether the end of the stream, over TCP, would still wait behind bytes for which the peer has no room, so that a
     * reset would overtake it. The peer may have read up to an eighth of the ring more than it has published.
     */
    boolean holdsUpItsEnd() {
        return TcpBuffer.isTooMuch(tail - consumed() - (size >> 3), size);
    }
}
