// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The receiving half: copies from the peer's ring to where the program wants the bytes, and says how far it got. Belongs to
 * the reading thread, except what says otherwise.
 */
final class PeerReceiver {
    private static final int MORE = Integer.MIN_VALUE;
    private static final int MAX_PIECE = 64 << 10;

    /** A batch of fewer bytes is small: it is worth while to let the next one gather. */
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

    /** What was read, or handed out; other threads read it. */
    private long head;

    /** How much of that the program still has in place, more than the ring if a block was sent often; it is not consumed. */
    private long lent;

    /** What the peer was last told, and what it was last seen to have written. */
    private long told;

    private long tail;

    private long rung;

    /** How long to let a stream of small writes gather, and what this side had sent when it was last looked at. */
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
                if (head == tail || head - told >= rings.size() >> 3) {
                    tell();
                }
                if (head == tail && count < left && !looked) {
                    // What is known was left by the read before; there may be more by now.
                    looked = true;
                    refresh();
                }
            } while (count < left && head != tail);
        } catch (PdException | IllegalStateException e) {
            // What was copied counts; the next read finds the same.
            if (count == 0) {
                throw e;
            }
        }
        target.position(position + count);
        return count;
    }

    /**
     * How much can be handed out in place, from {@link #offset} of the present ring on: at least 1, or 0 or the end of the
     * stream.
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

    /** So many bytes of what is next are the program's. */
    void lend(int length) {
        lent += length;
        HEAD.setRelease(this, head + length);
    }

    /** So many bytes, the oldest that the program has, are no more. */
    void takeBack(long length) {
        lent -= length;
        tell();
    }

    /** Fails while the program has bytes in place. */
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

    /** How far the program has read and released. */
    long consumed() {
        return head - lent;
    }

    /** Where the byte at the head lies in its ring, after {@link #next}. */
    int offset() {
        return rings.offset(head);
    }

    /** What names the present ring, and from which position on the stream lies in it. */
    long ringWord() {
        return rings.ringWord();
    }

    long enteredAt() {
        return rings.enteredAt();
    }

    private void tell() {
        told = head - lent;
        slot.ownWord(LinkMemoryDescriptor.HEAD_OFFSET, told);
        // The writer announces its sleep, fences, and looks at the head: either it sees this one, or we see it sleep.
        VarHandle.fullFence();
        long word = slot.peerWord(LinkMemoryDescriptor.WRITE_ARM_OFFSET);
        if (word != PeerArmWord.DISARMED && word != rung && isWorthRinging()) {
            rung = word;
            slot.ring(word);
        }
    }

    /** Whether the writer can do much with the room that there is. */
    private boolean isWorthRinging() {
        int size = rings.size();
        return !rings.isOfBlocks()
                ? tail - told <= size - (size >> 2)
                : told >= slot.peerWord(LinkMemoryDescriptor.WANTED_OFFSET);
    }

    /** Looks what the peer has written, once and checked. */
    private boolean refresh() throws PdException {
        if (!slot.isMet()) {
            return false;
        }
        gather();
        long seen = slot.peerWord(LinkMemoryDescriptor.TAIL_OFFSET);
        if (seen == tail) {
            pauses >>= 1;
            return head != tail;
        }
        pauses = seen - tail < SMALL_BATCH ? Math.min(MOST_PAUSES, pauses * 2 + FEWEST_PAUSES) : pauses;
        // After the tail: what lies before it in another ring was announced before it.
        rings.lookForSwitches(tail);
        if (seen < tail || !rings.hold(seen, head)) {
            throw new PdException(Errno.EPROTO, "the peer wrote more than its ring holds");
        }
        tail = seen;
        return seen != head;
    }

    /**
     * Lets the writer of a stream write a little more. Every look takes the line of the tail away from it, so that who looks
     * at each small write makes all of them slow. Not where this side has answered meanwhile, and the next is awaited.
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

    /** The answer when there are no data: nothing now, the end, or why there will never be any. */
    private int nothing() throws PdException {
        if (inputShut) {
            return PdSocket.END_OF_STREAM;
        }
        boolean broken = slot.link.isBroken();
        int flags = slot.metFlags();
        if (!broken && (flags & PeerAbsence.ENDED) == 0) {
            return 0;
        }
        // In this order: the flags say that nothing follows what is written now.
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
        return inputShut || !refresh() ? 0 : (int) Math.min(tail - head, Integer.MAX_VALUE);
    }

    /** The program has read what it has in place: it is closed. */
    void takeBackAll() {
        if (lent != 0) {
            takeBack(lent);
        }
    }

    /** Whether what is next cannot be had now, so that it is of no use to read. Any thread. */
    boolean isStuck() {
        return rings.isStuck() && !inputShut && !absence.resetsReads(slot.metFlags());
    }

    /** Whether there are bytes that were not read. Any thread. */
    boolean isUnread() {
        return slot.isMet() && slot.peerWord(LinkMemoryDescriptor.TAIL_OFFSET) != (long) HEAD.getAcquire(this);
    }

    /** Whether an end of the peer's, over TCP, would still wait behind more than there is room for. Any thread. */
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
