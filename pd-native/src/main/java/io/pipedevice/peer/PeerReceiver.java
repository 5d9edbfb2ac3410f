// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The receiving half: copies from the peer's ring to where the program wants the bytes, and says how far it got. Belongs to
 * the reading thread, except what says otherwise.
 */
final class PeerReceiver {
    /** What a kernel socket takes for a program that does not read, unless it was set up otherwise. */
    private static final int TCP_BUFFER = 128 << 10;

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
    private final PeerSender sender;
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

    /** What was read, or handed out; other threads read it. */
    private long head;

    /** How much of that the program still has in place, more than the ring if a block was sent often; it is not consumed. */
    private long lent;

    /** What the peer was last told, and what it was last seen to have written. */
    private long told;

    private long tail;

    /** The ring that the bytes from a position on lie in; 0 if the stream does not leave the present one. */
    private long nextRingWord;

    private long switchAt;

    /** The one after that; 0 if the stream does not leave the next one. */
    private long afterNextRingWord;

    private long switchAfterNextAt;

    /** How often the stream has entered another ring. */
    private int switches;

    private long rung;

    /** How long to let a stream of small writes gather, and what this side had sent when it was last looked at. */
    private int pauses;

    private long sentAtLook;
    private volatile boolean inputShut;

    /** The shortage for which the ring that the next bytes lie in could not be had; 0 if it could, or was not wanted. */
    private volatile int awaitsRing;

    PeerReceiver(PeerSlot slot, PeerSender sender) {
        this.slot = slot;
        this.sender = sender;
        this.bytes = slot.peer.bytes();
        this.base = LinkMemoryDescriptor.baseRing(slot.number);
        this.size = LinkMemoryDescriptor.BASE_RING_LENGTH;
        this.most = size;
        this.ringWord = LinkMemoryDescriptor.BASE_RING;
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
                int length = piece(Math.min(left - count, MAX_PIECE));
                if (length == 0) {
                    checkReset(slot.metFlags());
                    break;
                }
                target.put(position + count, bytes, base + offset(), length);
                count += length;
                HEAD.setRelease(this, head + length);
                if (head == tail || head - told >= size >> 3) {
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
        int length = piece(most);
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

    /** Where the byte at the head lies in its ring, once {@link #piece} was asked. */
    int offset() {
        return entries == null ? (int) head & size - 1 : entries.offset(head);
    }

    /** What names the present ring, and from which position on the stream lies in it. */
    long ringWord() {
        return ringWord;
    }

    long enteredAt() {
        return enteredAt;
    }

    /** How much lies in one piece at the head, which is not at the tail; 0 while its ring cannot be had. */
    private int piece(int most) throws PdException {
        long end = tail;
        if (nextRingWord != 0 && head == switchAt && !enterNextRing()) {
            return 0;
        }
        if (nextRingWord != 0) {
            end = Math.min(tail, switchAt);
        }
        if (entries != null) {
            return (int) Math.min(entries.end(head, end) - head, most);
        }
        int inRing = size - ((int) head & size - 1);
        return Math.min((int) Math.min(end - head, most), inRing);
    }

    /** False if it cannot be had now. */
    private boolean enterNextRing() throws PdException {
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
        return entries == null
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
        lookForSwitches();
        if (seen < tail || !isHeldByRings(seen)) {
            throw new PdException(Errno.EPROTO, "the peer wrote more than its ring holds");
        }
        tail = seen;
        return seen != head;
    }

    private void lookForSwitches() throws PdException {
        if (nextRingWord == 0) {
            long word = announced(switches + 1);
            if (word == 0) {
                return;
            }
            // Nothing of a switch that cannot be is kept: a read that has copied something before ends without the
            // failure.
            switchAt = position(switches + 1, switches == 0 ? -1 : enteredAt);
            nextRingWord = word;
        }
        if (afterNextRingWord == 0) {
            long word = announced(switches + 2);
            if (word != 0) {
                switchAfterNextAt = position(switches + 2, switchAt);
                afterNextRingWord = word;
            }
        }
    }

    /** Whether each ring can hold what lies in it, if so much is written. */
    private boolean isHeldByRings(long written) {
        if (nextRingWord == 0) {
            return written - head <= most;
        }
        long inNext = afterNextRingWord == 0 ? written : Math.min(written, switchAfterNextAt);
        return Math.min(written, switchAt) - head <= most
                && inNext - switchAt <= LinkMemoryDescriptor.mostUnread(nextRingWord)
                && (afterNextRingWord == 0
                        || written - switchAfterNextAt <= LinkMemoryDescriptor.mostUnread(afterNextRingWord));
    }

    /**
     * Lets the writer of a stream write a little more. Every look takes the line of the tail away from it, so that who looks
     * at each small write makes all of them slow. Not where this side has answered meanwhile, and the next is awaited.
     */
    private void gather() {
        long sent = sender.sent();
        if (sent != sentAtLook) {
            sentAtLook = sent;
            pauses = 0;
        }
        for (int i = 0; i < pauses; i++) {
            Thread.onSpinWait();
        }
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
    private long position(int count, long before) throws PdException {
        long at = slot.peerWord(LinkMemoryDescriptor.switchOffset(count));
        if (at < tail || at <= before) {
            throw new PdException(Errno.EPROTO, "the peer changed rings where it cannot");
        }
        return at;
    }

    /** The answer when there are no data: nothing now, the end, or why there will never be any. */
    private int nothing() throws PdException {
        if (inputShut) {
            return PdSocket.END_OF_STREAM;
        }
        boolean broken = slot.link.isBroken();
        int flags = slot.metFlags();
        if (!broken && (flags & PeerSocket.ENDED) == 0) {
            return 0;
        }
        // In this order: the flags say that nothing follows what is written now.
        if (refresh()) {
            return MORE;
        }
        checkReset(flags);
        if ((flags & PeerSocket.ENDED) == 0) {
            endOfLink();
        }
        return PdSocket.END_OF_STREAM;
    }

    private void checkReset(int flags) throws PdException {
        if (isReset(flags)) {
            throw new PdException(Errno.ECONNRESET, "");
        }
    }

    /** After the end of the stream a reset comes too late to be read, as over TCP. Any thread. */
    private boolean isReset(int flags) {
        boolean reset = (flags & LinkMemoryDescriptor.RESET) != 0 && (flags & LinkMemoryDescriptor.FIN) == 0;
        return reset || sender.isEndOvertaken();
    }

    /** The peer is gone without a word. The kernel resets what nobody had accepted, or had not been read. */
    private void endOfLink() throws PdException {
        slot.checkReset();
        if (!slot.isMet() || sender.isUnread()) {
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
        int awaited = awaitsRing;
        return awaited != 0 && !inputShut && slot.link.shortage() == awaited && !isReset(slot.metFlags());
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
        return LinkMemoryDescriptor.isRing(word) && isTooMuch(unread, LinkMemoryDescriptor.ringLength(word));
    }

    /** Whether so many bytes, the last of them in a ring of this length, are more than the kernel takes to the other end. */
    static boolean isTooMuch(long unread, int ringLength) {
        boolean full = ringLength > LinkMemoryDescriptor.BASE_RING_LENGTH && unread > ringLength - (ringLength >> 2);
        return full || unread > TCP_BUFFER;
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
