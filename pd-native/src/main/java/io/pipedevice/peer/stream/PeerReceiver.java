// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.MemoryFaultException;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The receiving half: copies bytes from the peer's ring to the program's buffer, and publishes how many were consumed.
 * Used by the reading thread, except where noted.
 */
final class PeerReceiver {
    private static final int MORE = Integer.MIN_VALUE;
    private static final int MAX_PIECE = 64 << 10;

    /** A batch of fewer bytes is small: a pause, in which the next one gathers, pays. */
    private static final int SMALL_BATCH = 4 << 10;

    private static final int FEWEST_PAUSES = 4;
    private static final int MOST_PAUSES = 32;
    private static final VarHandle HEAD;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(PeerReceiver.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final PeerSlot slot;
    private final PeerAbsence absence;
    private final PeerRingSequence rings;

    /** How many bytes were read or handed out; other threads read this too. */
    private long head;

    /**
     * How many of those the program still has in place. They are not consumed. They can be more than the ring holds, if
     * a block was sent several times.
     */
    private long lent;

    /** The HEAD that was last published, and the peer's TAIL that was last read. */
    private long published;

    private long written;

    /** Where the next read ends: there, or before a byte of urgent data. */
    private long tail;

    /** Whether the program wants urgent data in its stream. Any thread. */
    private volatile boolean takesUrgent;

    private long rung;

    /** How long to let a stream of small writes gather, and the TAIL of this side when that was last decided. */
    private int pauses;

    private long sentAtLook;
    private volatile boolean inputShut;

    PeerReceiver(PeerSlot slot, PeerAbsence absence) {
        this.slot = slot;
        this.absence = absence;
        this.rings = new PeerRingSequence(slot);
    }

    int read(ByteBuffer target) throws PdException {
        int position = target.position();
        int left = target.limit() - position;
        if (left == 0) {
            return 0;
        }
        boolean looked = head == tail;
        if (inputShut || (looked && !refresh())) {
            int result = nothing();
            if (result != MORE) {
                return result;
            }
        }
        int count = 0;
        try {
            do {
                int length = rings.piece(head, tail, Math.min(left - count, MAX_PIECE));
                if (length == 0) {
                    checkReset(slot.metFlags());
                    break;
                }
                rings.copy(head, target, position + count, length);
                count += length;
                HEAD.setRelease(this, head + length);
                if (head == tail || head - published >= rings.size() >> 3) {
                    publish();
                }
                if (head == tail && tail == written && count < left && !looked) {
                    // Only bytes that an earlier read had left were read; there may be more by now.
                    looked = true;
                    refresh();
                }
            } while (count < left && head != tail);
        } catch (PdException | IllegalStateException | MemoryFaultException e) {
            // The copied bytes are returned; the next read fails the same way.
            if (count == 0) {
                throw e;
            }
        }
        target.position(position + count);
        return count;
    }

    /**
     * How many bytes can be handed out in place, from {@link #offset} of the present ring on; 0 if there are none now,
     * or the end of the stream.
     */
    int next(int most) throws PdException {
        if (inputShut || (head == tail && !refresh())) {
            int result = nothing();
            if (result != MORE) {
                return result;
            }
        }
        int length = rings.piece(head, tail, most);
        if (length == 0) {
            checkReset(slot.metFlags());
        }
        return length;
    }

    /** Lends the program the next bytes. */
    void lend(int length) {
        lent += length;
        HEAD.setRelease(this, head + length);
    }

    /** Takes back the oldest bytes that the program has. */
    void takeBack(long length) {
        lent -= length;
        publish();
    }

    /** Throws while the program has bytes in place. */
    void requireReleased() {
        if (lent != 0) {
            throw new IllegalStateException(
                    "read while " + lent + " bytes that recv handed out are not released: recvDone comes first");
        }
    }

    /** How many bytes the program has in place. */
    long lent() {
        return lent;
    }

    /** The position up to which the program has read and released. */
    long consumed() {
        return head - lent;
    }

    /** The offset in its ring of the byte at the head, after {@link #next}. */
    int offset() {
        return rings.offset(head);
    }

    /** The RING word of the present ring; {@link #enteredAt} is the position at which the stream entered it. */
    long ringWord() {
        return rings.ringWord();
    }

    long enteredAt() {
        return rings.enteredAt();
    }

    private void publish() {
        published = head - lent;
        slot.ownWord(LinkMemoryDescriptor.HEAD_OFFSET, published);
        // The writer arms, fences, and reads HEAD: either it sees this one, or this thread sees the arm word.
        VarHandle.fullFence();
        long word = slot.peerWord(LinkMemoryDescriptor.WRITE_ARM_OFFSET);
        if (word != PeerArmWord.DISARMED && word != rung && isWorthRinging()) {
            rung = word;
            slot.ring(word);
        }
    }

    /** Whether there is enough room for the writer. */
    private boolean isWorthRinging() {
        int size = rings.size();
        return !rings.isOfBlocks()
                ? tail - published <= size - (size >> 2)
                : published >= slot.peerWord(LinkMemoryDescriptor.WANTED_OFFSET);
    }

    /** Reads how much the peer has written, once, and checks it. False if no bytes can be read. */
    private boolean refresh() throws PdException {
        if (!slot.isMet()) {
            return false;
        }
        gather();
        long seen = slot.peerWord(LinkMemoryDescriptor.TAIL_OFFSET);
        if (seen == written) {
            pauses >>= 1;
        } else {
            pauses = seen - written < SMALL_BATCH ? Math.min(MOST_PAUSES, pauses * 2 + FEWEST_PAUSES) : pauses;
            // After TAIL: the peer announces a ring before it publishes bytes in it.
            rings.lookForSwitches(written);
            if (seen < written || !rings.hold(seen, head)) {
                throw new PdException(Errno.EPROTO, "the peer wrote more than its ring holds");
            }
            written = seen;
        }
        tail = endOfRead();
        return tail != head;
    }

    /**
     * Where a read ends: at the end of what the peer has written, or, as with TCP, before a byte of urgent data. If
     * that byte is the next one, and the program does not want it, skips it. The word is unchecked: a peer can only
     * make this side drop one of its bytes.
     */
    private long endOfRead() throws PdException {
        long urgent = slot.peerWord(LinkMemoryDescriptor.URGENT_OFFSET) - 1;
        if (urgent < head || urgent >= written) {
            return written;
        }
        if (urgent > head) {
            return urgent;
        }
        // The ring of that byte has to be entered.
        if (!takesUrgent && rings.piece(head, head + 1, 1) > 0) {
            HEAD.setRelease(this, head + 1);
            publish();
            return written;
        }
        return takesUrgent ? written : head;
    }

    /** Any thread. */
    void takeUrgent(boolean inline) {
        takesUrgent = inline;
    }

    /**
     * Pauses so that the writer of a stream can write a little more. Each read of TAIL takes its cache line from the
     * writer, so that a reader that checks after each small write slows all of them. No pause if this side has sent
     * since the last call, and so may await an answer.
     */
    private void gather() {
        long sent = slot.ownWord(LinkMemoryDescriptor.TAIL_OFFSET);
        if (sent != sentAtLook) {
            sentAtLook = sent;
            pauses = 0;
        }
        for (int i = 0; i < pauses; i++) {
            Thread.onSpinWait();
        }
    }

    /** The result of a read without data: 0 for now, the end of the stream, a failure, or MORE if data have come. */
    private int nothing() throws PdException {
        if (inputShut) {
            return PdSocket.END_OF_STREAM;
        }
        boolean broken = slot.link.isBroken();
        int flags = slot.metFlags();
        if (!broken && (flags & PeerAbsence.ENDED) == 0) {
            return 0;
        }
        // In this order: once the flags are set, the peer writes no more, so that this read of TAIL is final.
        if (refresh()) {
            return MORE;
        }
        checkReset(flags);
        if ((flags & PeerAbsence.ENDED) == 0) {
            absence.checkEndOfLink();
        }
        return PdSocket.END_OF_STREAM;
    }

    private void checkReset(int flags) throws PdException {
        if (absence.resetsReads(flags)) {
            throw new PdException(Errno.ECONNRESET, "");
        }
    }

    int available() throws PdException {
        return inputShut || !refresh() ? 0 : (int) Math.min((takesUrgent ? written : tail) - head, Integer.MAX_VALUE);
    }

    /** Takes back all bytes that the program has in place, because the socket is closed. */
    void takeBackAll() {
        if (lent != 0) {
            takeBack(lent);
        }
    }

    /** Publishes how much was consumed, because the socket is closed. */
    void publishAll() {
        if (published != head - lent) {
            published = head - lent;
            slot.ownWord(LinkMemoryDescriptor.HEAD_OFFSET, published);
        }
    }

    /** Whether the next bytes cannot be mapped now, so that a read would be useless. Any thread. */
    boolean isStuck() {
        return rings.isStuck() && !inputShut && !absence.resetsReads(slot.metFlags());
    }

    /** Whether there are unread bytes, not counting one that a read would skip. Any thread. */
    boolean isUnread() {
        if (!slot.isMet()) {
            return false;
        }
        long seen = slot.peerWord(LinkMemoryDescriptor.TAIL_OFFSET);
        long at = (long) HEAD.getAcquire(this);
        return seen != at
                && (seen != at + 1 || takesUrgent || slot.peerWord(LinkMemoryDescriptor.URGENT_OFFSET) != seen);
    }

    /** Whether the peer's end of stream, over TCP, would wait behind more bytes than there is room for. Any thread. */
    boolean isEndHeldUp() {
        if (!slot.isMet()) {
            return false;
        }
        long unread = slot.peerWord(LinkMemoryDescriptor.TAIL_OFFSET) - (long) HEAD.getAcquire(this);
        long word = LinkMemoryDescriptor.later(
                slot.peerWord(LinkMemoryDescriptor.ringOffset(1)), slot.peerWord(LinkMemoryDescriptor.ringOffset(2)));
        return LinkMemoryDescriptor.isRing(word) && TcpBuffer.isTooMuch(unread, LinkMemoryDescriptor.ringLength(word));
    }

    /** Any thread. */
    void shut() {
        inputShut = true;
    }

    /** Any thread. */
    boolean isShut() {
        return inputShut;
    }
}
