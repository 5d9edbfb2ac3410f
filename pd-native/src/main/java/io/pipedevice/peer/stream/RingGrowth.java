// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.RingBudget;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.ring.SendRing;
import io.pipedevice.peer.ring.SendRings;
import java.util.concurrent.TimeUnit;

/**
 * Chooses the ring of this side in which a stream continues. A write that finds the present ring full moves to a larger
 * one. If the peer does not read, that is a wide ring, larger than the rings of streams that are read, which is kept
 * only while it has unread bytes. A larger ring that was not needed for a while is left for the base ring. Where the
 * budget of rings has no room for a larger ring, the stream stays in the one that it has. Used by the writing thread,
 * except where noted.
 */
final class RingGrowth implements RingLender.WideSender, RingBudget.Waiter {
    private static final int SMALLEST_LARGE_RING = 64 << 10;

    /** A ring that was found full this often is replaced by one of four times its size. */
    private static final int FULL_BEFORE_GROWTH = 8;

    /** The size of the last ring that can be announced before the peer reads; the limits may reduce it. */
    private static final int LAST_RING = SendRings.MAX_SIZE;

    /**
     * A larger ring is given back when it was not needed for this time, which is longer than the pauses between bursts.
     */
    static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);

    /** The bytes that fit well into the base ring. */
    private static final int SMALL = LinkMemoryDescriptor.BASE_RING_LENGTH / 2;

    /** Whether a full ring is replaced by a larger one, which is not needed if the peer reads on. */
    private enum Growth {
        /** No: there is no larger ring, or none was available. */
        NONE,
        /** Only when a thread has to wait for room, or cannot wait: it calls {@link #grant}. */
        POSSIBLE,
        /** A thread has called {@link #grant}: the next write that finds no room takes the larger ring. */
        GRANTED
    }

    private final RingLender lender;
    private final RingSequence rings;
    private final ReaderSpeed reader;
    private final SenderOwner owner = new SenderOwner();
    private final RingLimits mostAllowed;

    /** The present limits. Any thread sets them. */
    private volatile RingLimits limits;

    private int fulls;

    /** For a larger ring: the bytes written when the peer was last found asleep, and when the ring was last needed. */
    private long tailAtRing;

    private long neededAtNs;

    /** Whether the next write leaves the larger ring, because it is wide or has not been needed for a while. */
    private boolean leaving;

    /** Whether the stream is in the ring of blocks, which it never leaves. */
    private boolean inBlocks;

    /** Whether the present ring is wide. Set by the sender's owner; any thread reads it. */
    private volatile boolean wide;

    /** The bytes written at the last sweep. Used by the sweeper's thread. */
    private long tailAtSweep = -1;

    /**
     * Set by the writing thread; a waiting thread sets it to GRANTED. A grant that comes after the ring was left makes
     * {@link #isGranted} true once too often, which does no harm.
     */
    private volatile Growth growth = Growth.NONE;

    /**
     * Whether there may be memory for a larger ring that was refused. Set by any thread; a write that tries clears it.
     */
    private volatile boolean memoryIsBack;

    /** This end of the connection; null until the socket is complete. */
    private volatile RingLink.End end;

    RingGrowth(PeerSlot slot, RingSequence rings, RingLimits limits) {
        this.lender = slot.rings;
        this.rings = rings;
        this.reader = new ReaderSpeed(slot);
        this.limits = limits;
        this.mostAllowed = limits;
    }

    /** Begins a write. If the ring is wide, keeps the sweeper away, after a short wait if it is at work. */
    void begin() {
        if (wide) {
            owner.own();
        }
    }

    /** Ends a write. */
    void end() {
        owner.disown();
    }

    /** Called before a write of that many bytes: leaves a ring that was not needed for a while. */
    void beforeWrite(long length) throws PdException {
        if (leaving && length > 0) {
            leaveFor(length);
        }
    }

    /**
     * Makes room for some of the wanted bytes after the ring was found full: in the present ring if the peer has read
     * on, else in a larger one. Returns the room, or 0.
     */
    int makeRoom(int wanted) throws PdException {
        rings.refresh();
        int room = rings.room();
        boolean back = memoryIsBack;
        if (back) {
            // Before a ring is taken: if it is refused again, memory that comes back after that sets it again.
            memoryIsBack = false;
        }
        boolean granted = back || growth == Growth.GRANTED;
        if (room > 0) {
            if (granted) {
                growth = Growth.POSSIBLE;
            }
            return room;
        }
        reader.measure(rings.head());
        if (leavesWideForFastReader() || (granted ? growAtOnce() : grow(wanted))) {
            growth = Growth.NONE;
            return rings.size();
        }
        // Publish the growth before the tail, so that a thread that sees a full ring also sees whether it can grow. A
        // grant that yields no larger ring is not repeated.
        growth = granted || !mayGrow() ? Growth.NONE : Growth.POSSIBLE;
        rings.refused();
        return 0;
    }

    private boolean grow(int wanted) {
        fulls++;
        // The last ring that can be announced is left to a writer that would have to wait.
        if (rings.isNextLast() || (!rings.isBase() && fulls < FULL_BEFORE_GROWTH && wanted <= rings.size())) {
            return false;
        }
        int next = rings.isBase() ? SMALLEST_LARGE_RING : rings.size() * 4;
        return growTo(Math.max(next, Integer.highestOneBit(wanted) * 2), limits.read());
    }

    /** Step by step while the peer reads, so that short bursts need no wide ring. */
    private boolean growAtOnce() {
        int next = rings.isNextLast() ? LAST_RING : Math.max(SMALLEST_LARGE_RING, rings.size() * 4);
        return growTo(next, limits.unread());
    }

    /** Whether the limits permit a larger ring, and a switch to it can be announced. */
    private boolean mayGrow() {
        return rings.size() < limits.unread() && rings.maySwitch() && !inBlocks;
    }

    private boolean growTo(int least, int most) {
        if (most <= rings.size() || !mayGrow()) {
            return false;
        }
        fulls = 0;
        return enter(lender.take(Math.min(most, least), Math.max(SMALLEST_LARGE_RING, rings.size() * 2), this));
    }

    /** Continues in a ring for a peer that reads. False if none is available now. */
    private boolean enterRead() {
        return enter(lender.take(limits.read(), SMALLEST_LARGE_RING, null));
    }

    /** Continues in a ring, unless it is null. */
    private boolean enter(SendRing ring) {
        if (ring == null) {
            return false;
        }
        neededAtNs = System.nanoTime();
        fulls = 0;
        boolean widens = ring.bytes().capacity() > limits.read();
        if (widens) {
            owner.own();
        }
        wide = widens;
        leaving = widens;
        if (widens) {
            lender.widened(this);
        }
        rings.enter(ring);
        return true;
    }

    /** Leaves a wide ring for one that stays in the caches, if the peer reads fast and has entered the wide ring. */
    private boolean leavesWideForFastReader() {
        return wide && reader.isFast() && rings.isEntered() && enterRead();
    }

    /**
     * Called when the peer was found asleep, so that it has read everything. Checks whether the larger ring was needed
     * since it last slept. The cost of the clock is small compared with that of the ring.
     */
    void peerSlept() {
        if (rings.isBase()) {
            return;
        }
        long now = System.nanoTime();
        if (rings.sent() - tailAtRing > SMALL) {
            neededAtNs = now;
        }
        tailAtRing = rings.sent();
        leaving = !inBlocks && (wide || now - neededAtNs > QUIET_NS);
    }

    /**
     * Gives back a larger ring that was not needed for a while, if the peer has read it to its end and this write does
     * not need it. At the next burst the peer has probably read from the base ring, so that two more rings can be
     * announced.
     */
    private void leaveFor(long writing) throws PdException {
        if (wide) {
            leaveWide();
            return;
        }
        leaving = false;
        if (writing > SMALL) {
            neededAtNs = System.nanoTime();
            return;
        }
        rings.refresh();
        if (rings.isRead()) {
            enterBase();
        }
    }

    /**
     * Gives back a wide ring if the peer has read everything. A stream that is read then runs in a ring that stays in
     * the caches, and the memory is used only for unread bytes.
     */
    private void leaveWide() throws PdException {
        rings.refresh();
        if (!rings.isRead()) {
            return;
        }
        if (enterRead()) {
            rings.givePrevious();
        } else {
            enterBase();
            wide = false;
        }
    }

    /** Continues the stream in the base ring. The peer has read the present ring to its end. */
    private void enterBase() {
        fulls = 0;
        leaving = false;
        rings.enterBase();
        rings.givePrevious();
    }

    @Override
    public boolean leaveIfIdle() {
        if (!wide) {
            return true;
        }
        if (!owner.tryOwn()) {
            return false;
        }
        try {
            return !wide || leaveIfUnused();
        } catch (PdException e) {
            // The next write finds the same failure.
            return true;
        } finally {
            owner.leave();
        }
    }

    private boolean leaveIfUnused() throws PdException {
        rings.refresh();
        boolean unused = rings.sent() == tailAtSweep && rings.isRead();
        tailAtSweep = rings.sent();
        if (unused) {
            enterBase();
            // Last: a writer that sees it does not wait for the sweeper any more.
            wide = false;
        }
        return unused;
    }

    /**
     * Makes the stream continue in a ring of blocks.
     *
     * @return the ring; null while the peer has not read beyond the last switch of rings
     * @throws PdException ENOMEM if no ring is available
     */
    SendRing enterBlocks(int length) throws PdException {
        begin();
        try {
            rings.refresh();
            // A thread that waits for blocks would not use a larger ring.
            growth = Growth.NONE;
            if (!rings.isEntered()) {
                return null;
            }
            SendRing ring = lender.take(LinkMemoryDescriptor.blockRing(length));
            if (ring == null) {
                throw new PdException(
                        Errno.ENOMEM, "no ring for blocks is available now (option " + RingBudget.PROPERTY + ")");
            }
            rings.enterBlocks(ring, length);
            wide = false;
            inBlocks = true;
            return ring;
        } finally {
            end();
        }
    }

    /** The size of the largest block. Any thread. */
    int largestBlock() {
        return Math.max(SMALLEST_LARGE_RING, limits.read());
    }

    /** Limits the growth of the rings for a program that sets the size of its send buffer. Any thread. */
    void bound(int wanted) {
        limits = mostAllowed.within(wanted);
    }

    /** As {@link ReaderSpeed#isFastNow}. */
    boolean isReadFast() {
        return reader.isFastNow();
    }

    /**
     * Permits the next write to take a larger ring for a peer that does not read, perhaps because it writes first: a
     * kernel socket takes megabytes. Called only when a thread would otherwise have to sleep, or return with bytes
     * unwritten, because a stream that is read runs best in a ring that stays in the caches. Any thread.
     *
     * @return whether another write pays now
     */
    boolean grant() {
        if (growth != Growth.POSSIBLE) {
            return false;
        }
        growth = Growth.GRANTED;
        return true;
    }

    /** Whether a write that found no room may find room after {@link #grant}. Any thread. */
    boolean isPossible() {
        return growth == Growth.POSSIBLE;
    }

    /** Whether the next write takes a larger ring if it finds no room. Any thread. */
    boolean isGranted() {
        return growth == Growth.GRANTED || memoryIsBack;
    }

    /** Makes memory that comes back wake the threads that wait for this end. */
    void wakes(RingLink.End own) {
        end = own;
    }

    @Override
    public void memoryIsBack() {
        memoryIsBack = true;
        RingLink.End own = end;
        if (own != null) {
            own.wake();
        }
    }

    /** The end was closed by its program: it waits no more. */
    void closed() {
        lender.forget(this);
    }

    /** Called after the last write. */
    void release() {
        wide = false;
    }
}
