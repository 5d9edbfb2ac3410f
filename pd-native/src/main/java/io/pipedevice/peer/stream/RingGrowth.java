// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.ring.SendRing;
import io.pipedevice.peer.ring.SendRings;
import java.util.concurrent.TimeUnit;

/**
 * Which of this side's rings a stream should lie in: a larger one where the present one is found full, a wide one, which is
 * larger than those for streams that are read, where the peer does not read and only while what it has not read lies there,
 * and a smaller one when that was not needed for a while. Belongs to the writing thread, except what says otherwise.
 */
final class RingGrowth implements RingLink.WideSender {
    private static final int SMALLEST_LARGE_RING = 64 << 10;

    /** A ring that was found full so often gives way to one of four times its size. */
    private static final int FULL_BEFORE_GROWTH = 8;

    /** The last ring that the peer can be told of before it reads, as far as the limits allow. */
    private static final int LAST_RING = SendRings.MAX_SIZE;

    /** A larger ring goes back when it was not needed for so long: longer than the pauses of what comes in bursts. */
    static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);

    /** What the base ring holds well. */
    private static final int SMALL = LinkMemoryDescriptor.BASE_RING_LENGTH / 2;

    /** Whether a ring that was found full gives way to a larger one, although it need not if the peer only reads on. */
    private enum Growth {
        /** No: there is none, or it could not be had. */
        NONE,
        /** If a thread has waited for room in vain, or cannot wait. */
        POSSIBLE,
        /** A thread has: the next write that finds no room takes it. */
        GRANTED
    }

    private final RingLink link;
    private final RingSequence rings;
    private final ReaderSpeed reader;
    private final SenderOwner owner = new SenderOwner();
    private final RingLimits mostAllowed;

    /** Any thread sets it. */
    private volatile RingLimits limits;

    private int fulls;

    /** While the larger ring is not needed: what was written when the peer was last found asleep, and when it was needed. */
    private long tailAtRing;

    private long neededAtNs;

    /** Whether the larger ring has not been needed for so long, or is so wide, that the next write leaves it. */
    private boolean leaving;

    /** Whether the stream is in the ring of blocks, which it does not leave. */
    private boolean inBlocks;

    /** Whether the present ring is larger than those for streams that are read. Set by its owner, and any thread reads it. */
    private volatile boolean wide;

    /** What was written when the sweeper looked last. The sweeper's thread's. */
    private long tailAtSweep = -1;

    /**
     * Set by the writing thread, and GRANTED by a thread that waits. A grant that comes when the ring was left already makes
     * {@link #isGranted} true once too often, and nothing worse.
     */
    private volatile Growth growth = Growth.NONE;

    RingGrowth(PeerSlot slot, RingSequence rings, RingLimits limits) {
        this.link = slot.link;
        this.rings = rings;
        this.reader = new ReaderSpeed(slot);
        this.limits = limits;
        this.mostAllowed = limits;
    }

    /** A write begins: the sweeper is kept away, which does not take long if it is there. */
    void begin() {
        if (wide) {
            owner.own();
        }
    }

    /** A write ends. */
    void end() {
        owner.disown();
    }

    /** So much is about to be written: leaves a ring that was not needed for a while. */
    void beforeWrite(long length) throws PdException {
        if (leaving && length > 0) {
            leaveFor(length);
        }
    }

    /** Room for some of so many bytes, for which the present ring was last seen to have none: in a larger one, if need be. */
    int makeRoom(int wanted) throws PdException {
        rings.refresh();
        int room = rings.room();
        boolean granted = growth == Growth.GRANTED;
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
        // In this order: a thread that finds no room finds out whether there may be more. One that did not get it does
        // not
        // ask again.
        growth = granted || !mayGrow() ? Growth.NONE : Growth.POSSIBLE;
        rings.refused();
        return 0;
    }

    private boolean grow(int wanted) {
        fulls++;
        // The last ring that the peer can be told of is for a writer that would have to wait.
        if (rings.isNextLast() || (!rings.isBase() && fulls < FULL_BEFORE_GROWTH && wanted <= rings.size())) {
            return false;
        }
        int next = rings.isBase() ? SMALLEST_LARGE_RING : rings.size() * 4;
        return growTo(Math.max(next, Integer.highestOneBit(wanted) * 2), limits.read());
    }

    /** Step by step as long as the peer reads, so that short bursts need no wide ring. */
    private boolean growAtOnce() {
        int next = rings.isNextLast() ? LAST_RING : Math.max(SMALLEST_LARGE_RING, rings.size() * 4);
        return growTo(next, limits.unread());
    }

    /** Whether there is a larger ring for the stream, and a place to tell the peer of it. */
    private boolean mayGrow() {
        return rings.size() < limits.unread() && rings.maySwitch() && !inBlocks;
    }

    private boolean growTo(int least, int most) {
        if (most <= rings.size() || !mayGrow()) {
            return false;
        }
        fulls = 0;
        return enterLarger(Math.min(most, least));
    }

    /** False if there is no ring of that length now. */
    private boolean enterLarger(int length) {
        SendRing ring = link.takeRing(length);
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
            link.widened(this);
        }
        rings.enter(ring);
        return true;
    }

    /** A stream that is read fast goes on in a ring that stays in the caches, once the peer has come to the wide one. */
    private boolean leavesWideForFastReader() {
        return wide && reader.isFast() && rings.isEntered() && enterLarger(limits.read());
    }

    /**
     * The peer was asleep, so that it had read everything: a good time for a look at how much has come since it slept last.
     * Beside the ringing, the clock costs nothing.
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
     * Gives a larger ring back that was not needed for a while, if the peer has read it to its end, and what is written now
     * needs none. So the peer is likely to have read from the base ring when there is the next burst, and can be told of two.
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
     * Gives a wide ring back as soon as the peer has read everything, so that a stream that is read runs in a ring that
     * stays in the caches, and the memory is there only while something lies in it.
     */
    private void leaveWide() throws PdException {
        rings.refresh();
        if (!rings.isRead()) {
            return;
        }
        if (enterLarger(limits.read())) {
            rings.givePrevious();
        } else {
            enterBase();
            wide = false;
        }
    }

    /** The stream goes on in the base ring, and the peer has read the present one to its end. */
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
            // The next write finds the same.
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
            // Last: a writer that finds it does not wait for the sweeper any more.
            wide = false;
        }
        return unused;
    }

    /**
     * Makes the stream go on in a ring of blocks.
     *
     * @return the ring; null while the peer has to read to where the stream changed rings last
     * @throws PdException ENOMEM if there is no ring
     */
    SendRing enterBlocks(int length) throws PdException {
        begin();
        try {
            rings.refresh();
            // A thread that waits for blocks writes nothing to a larger ring.
            growth = Growth.NONE;
            if (!rings.isEntered()) {
                return null;
            }
            SendRing ring = link.takeRing(LinkMemoryDescriptor.blockRing(length));
            if (ring == null) {
                throw new PdException(Errno.ENOMEM, "no ring for blocks can be had now");
            }
            rings.enterBlocks(ring, length);
            wide = false;
            inBlocks = true;
            return ring;
        } finally {
            end();
        }
    }

    /** Largest block. Any thread. */
    int largestBlock() {
        return Math.max(SMALLEST_LARGE_RING, limits.read());
    }

    /** Bounds the rings for a program that asks for a buffer, so that they do not grow beyond. Any thread. */
    void bound(int wanted) {
        limits = mostAllowed.within(wanted);
    }

    /** As {@link ReaderSpeed#isFastNow}. */
    boolean isReadFast() {
        return reader.isFastNow();
    }

    /**
     * Lets the next write make room where the peer does not read, perhaps because it writes as much itself before: a kernel
     * socket takes megabytes. For a thread that would have to sleep otherwise, or go away with what is left, and not sooner,
     * because a stream that is read runs best in a ring that stays in the caches. Any thread.
     *
     * @return whether it is worth while to write now
     */
    boolean grant() {
        if (growth != Growth.POSSIBLE) {
            return false;
        }
        growth = Growth.GRANTED;
        return true;
    }

    /** Whether a write that found no room may find some after {@link #grant}. Any thread. */
    boolean isPossible() {
        return growth == Growth.POSSIBLE;
    }

    /** Whether the next write takes a larger ring if it finds no room. Any thread. */
    boolean isGranted() {
        return growth == Growth.GRANTED;
    }

    /** Nobody writes any more. */
    void release() {
        wide = false;
    }
}
