// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.Gather;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * The sending half: copies into a ring of this process's own and says how far it got. The ring starts small, and gives way
 * to a larger one when it is found full. Where the peer does not read, and only while what it has not read lies there, the
 * stream goes through a wide one, which is larger than those for streams that are read. Belongs to the writing thread,
 * except what says otherwise.
 */
final class PeerSender implements RingLink.WideSender {
    /** Most bytes that are copied before the peer is told: it copies them out meanwhile. */
    private static final int MAX_PIECE = 64 << 10;

    /** A reader is measured over so many bytes, or over so long. */
    private static final int MEASURED_BYTES = 256 << 10;

    private static final long MEASURED_NS = 1_000_000;

    /** A reader that does little else reads more. */
    private static final int FAST_BYTES_PER_NANO = 2;

    /** A fast reader that has not read on after this time does something else. */
    private static final long READS_ON_NS = 20_000;

    /** More than any ring holds. */
    private static final int MUCH = 1 << 29;

    /** Of the peer's STATE: it neither reads nor writes any more, though it has not closed. */
    private static final int SHUT = LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.DEAF;

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
        /** If somebody has waited for room in vain, or cannot wait. */
        POSSIBLE,
        /** Somebody has: the next write that finds no room takes it. */
        GRANTED
    }

    private static final VarHandle OWNED;

    static {
        try {
            OWNED = MethodHandles.lookup().findVarHandle(PeerSender.class, "owned", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final PeerSlot slot;

    /** The other direction's half. */
    private PeerReceiver receiver;

    private final RingLimits mostAllowed;

    /** Any thread sets it. */
    private volatile RingLimits limits;

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

    private long rung;
    private int fulls;

    /** While the larger ring is not needed: what was written when the peer was last found asleep, and when it was needed. */
    private long tailAtRing;

    private long neededAtNs;

    /** Whether the larger ring has not been needed for so long, or is so wide, that the next write leaves it. */
    private boolean leaving;

    /** Whether the present ring is larger than those for streams that are read. Set by its owner, and any thread reads it. */
    private volatile boolean wide;

    /** Whether somebody owns the sender while its ring is wide: the writing thread during a write, or the sweeper. */
    @SuppressWarnings("UnusedVariable") // read by OWNED
    private volatile boolean owned;

    /** Whether that is the writing thread. */
    private boolean mine;

    /** What was written when the sweeper looked last. */
    private long tailAtSweep = -1;

    /** When the ring was full and how much was read by then: the beginning of a measurement of the reader. */
    private long measuredSinceNs;

    private long headAtMeasure;

    /** What came of the last one. */
    private boolean readFast;

    /** Whether a write was told nothing of the peer's close, as TCP, whose first one is answered by a reset. Any thread reads it. */
    private volatile boolean wroteIntoVoid;

    /** Whether that was before the peer's end could have arrived, so that the reset was first. Any thread reads it. */
    private volatile boolean endOvertaken;

    /**
     * Set by the writing thread, and GRANTED by who waits. A grant that comes when the ring was left already makes
     * {@link #isWritable} true once too often, and nothing worse.
     */
    private volatile Growth growth = Growth.NONE;

    /** What other threads need to know to compute {@link #isWritable}; in this order set, tail first. */
    private volatile long publishedTail;

    private volatile int publishedSize;
    private volatile long publishedSwitch;

    /** Set for good by the first block that the program takes: the stream goes on in blocks. */
    private volatile PeerBlocks blocks;

    /** How far the peer must have read before it can be told of the ring of blocks. */
    private volatile long blocksAwait;

    /** The writing thread's. */
    private final Gather gather = new Gather();

    PeerSender(PeerSlot slot, RingLimits limits) {
        this.slot = slot;
        this.limits = limits;
        this.mostAllowed = limits;
        this.bytes = slot.own.bytes();
        this.base = LinkMemoryDescriptor.baseRing(slot.number);
        this.size = LinkMemoryDescriptor.BASE_RING_LENGTH;
        this.publishedSize = size;
    }

    /** Makes the other half of the connection known, before anything is sent. */
    void pairWith(PeerReceiver other) {
        receiver = other;
    }

    int write(ByteBuffer source) throws PdException {
        int flags = slot.metFlags();
        if (whyGone(flags) != 0) {
            int length = source.remaining();
            writeToNobody(flags, length);
            source.position(source.limit());
            return length;
        }
        if (blocks != null) {
            return writeInBlocks(source);
        }
        if (wide) {
            own();
        }
        try {
            if (leaving && source.hasRemaining()) {
                leaveFor(source.remaining());
            }
            return append(source);
        } finally {
            publish();
            if (mine) {
                disown();
            }
        }
    }

    /** Keeps the sweeper away, which does not take long if it is there. */
    @SuppressWarnings("ThreadPriorityCheck")
    private void own() {
        while (!OWNED.compareAndSet(this, false, true)) {
            Thread.yield();
        }
        mine = true;
    }

    private void disown() {
        mine = false;
        owned = false;
    }

    @Override
    public boolean leaveIfIdle() {
        if (!wide) {
            return true;
        }
        if (!OWNED.compareAndSet(this, false, true)) {
            return false;
        }
        try {
            return !wide || leaveIfUnused();
        } catch (PdException e) {
            // The next write finds the same.
            return true;
        } finally {
            owned = false;
        }
    }

    private boolean leaveIfUnused() throws PdException {
        refresh();
        boolean unused = tail == tailAtSweep && head == tail && head > switchedAt;
        tailAtSweep = tail;
        if (unused) {
            enterBase();
            givePrevious();
            // Last: a writer that finds it does not wait for the sweeper any more.
            wide = false;
        }
        return unused;
    }

    private int writeInBlocks(ByteBuffer source) throws PdException {
        gather.begin(source);
        long taken;
        try {
            blocks.write(gather);
        } finally {
            taken = gather.end();
        }
        return (int) taken;
    }

    /** Writes several buffers; the peer finds at once what there is room for, but for pieces of {@link #MAX_PIECE}. */
    long write(ByteBuffer[] sources, int offset, int length) throws PdException {
        long all = gather.begin(sources, offset, length);
        long taken;
        try {
            int flags = slot.metFlags();
            if (whyGone(flags) != 0) {
                writeToNobody(flags, all);
                gather.take(all);
            } else if (blocks != null) {
                blocks.write(gather);
            } else {
                append();
            }
        } finally {
            taken = gather.end();
        }
        return taken;
    }

    private void append() throws PdException {
        if (wide) {
            own();
        }
        try {
            if (leaving && gather.left() > 0) {
                leaveFor(gather.left());
            }
            while (gather.left() > 0) {
                int room = room((int) Math.min(gather.left(), MUCH));
                if (room == 0) {
                    break;
                }
                ByteBuffer source = gather.source();
                int length = pieceOf(Math.min(gather.available(), room));
                put(source, gather.position(), length);
                gather.take(length);
                publishPiece();
            }
        } finally {
            publish();
            if (mine) {
                disown();
            }
        }
    }

    /** Copies what there is room for, and tells the peer of whole pieces; the rest is for the caller to publish. */
    private int append(ByteBuffer source) throws PdException {
        int before = source.position();
        int position = before;
        int left = source.limit() - before;
        while (left > 0) {
            int room = room(left);
            if (room == 0) {
                break;
            }
            int length = pieceOf(Math.min(left, room));
            put(source, position, length);
            position += length;
            left -= length;
            // At once, so that it is right also if the next round fails.
            source.position(position);
            publishPiece();
        }
        return position - before;
    }

    private int pieceOf(int length) {
        return Math.min(length, MAX_PIECE - (int) (tail - told));
    }

    private void publishPiece() {
        if (tail - told == MAX_PIECE) {
            publish();
        }
    }

    private void writeToNobody(int flags, long length) throws PdException {
        if (length > 0 || (flags & LinkMemoryDescriptor.RESET) != 0 || wroteIntoVoid) {
            sendToNobody(flags);
        }
    }

    private void sendToNobody(int flags) throws PdException {
        boolean reset = (flags & LinkMemoryDescriptor.RESET) != 0;
        if (!reset && slot.link.isBroken()) {
            slot.checkReset();
        }
        if (reset || wroteIntoVoid) {
            throw new PdException(whyGone(flags), "");
        }
        endOvertaken = receiver.isEndHeldUp();
        wroteIntoVoid = true;
    }

    /** The ring of blocks; null before {@link #enterBlocks}. Any thread. */
    PeerBlocks blocks() {
        return blocks;
    }

    /** Largest block. Any thread. */
    int largestBlock() {
        PeerBlocks inBlocks = blocks;
        return inBlocks == null ? Math.max(SMALLEST_LARGE_RING, limits.read()) : inBlocks.size();
    }

    /** Bounds the rings for a program that asks for a buffer, so that they do not grow beyond. Any thread. */
    void bound(int wanted) {
        limits = mostAllowed.within(wanted);
    }

    /** Makes the stream go on in blocks; null while the peer has to read to where the stream changed rings last. */
    SendRing enterBlocks() throws PdException {
        if (wide) {
            own();
        }
        try {
            return tryEnterBlocks();
        } finally {
            if (mine) {
                disown();
            }
        }
    }

    private SendRing tryEnterBlocks() throws PdException {
        refresh();
        // Who waits for blocks writes nothing to a larger ring.
        growth = Growth.NONE;
        if (head <= switchedAt) {
            blocksAwait = switchedAt + 1;
            return null;
        }
        int length = largestBlock();
        SendRing ring = slot.link.takeRing(LinkMemoryDescriptor.blockRing(length));
        if (ring == null) {
            throw new PdException(Errno.ENOMEM, "no ring for blocks can be had now");
        }
        enter(ring, length, Integer.numberOfTrailingZeros(length) | LinkMemoryDescriptor.BLOCKS);
        wide = false;
        blocks = new PeerBlocks(this, slot, ring.bytes(), length);
        return ring;
    }

    /** Whether there is nobody to send to; what is sent first is lost, as with TCP, whose reset answers it. */
    boolean isToNobody() throws PdException {
        int flags = slot.metFlags();
        if (whyGone(flags) == 0) {
            return false;
        }
        sendToNobody(flags);
        return true;
    }

    /** Why nothing that is sent arrives: ECONNRESET, EPIPE, or 0 if it may. */
    int whyGone() {
        return whyGone(slot.metFlags());
    }

    private int whyGone(int flags) {
        if ((flags & LinkMemoryDescriptor.RESET) != 0) {
            // After the end of the stream a reset is told as the end, as over TCP.
            return (flags & LinkMemoryDescriptor.FIN) == 0 ? Errno.ECONNRESET : Errno.EPIPE;
        }
        boolean gone = (flags & LinkMemoryDescriptor.CLOSED) != 0 || (flags & SHUT) == SHUT || slot.link.isBroken();
        return !gone ? 0 : endOvertaken ? Errno.ECONNRESET : Errno.EPIPE;
    }

    /** Whether what was sent was answered by a reset. Any thread. */
    boolean isAnsweredByReset() {
        return wroteIntoVoid;
    }

    /** Whether what was sent was answered by a reset, which came before the peer's end. Any thread. */
    boolean isEndOvertaken() {
        return endOvertaken;
    }

    /** What the peer was last seen to have consumed. */
    long head() {
        return head;
    }

    /** So many bytes more are in the stream; {@link #publish} tells the peer. */
    void advance(int length) {
        tail += length;
    }

    /** How many bytes the peer does not know of. */
    long unpublished() {
        return tail - told;
    }

    /** Bytes written since the beginning, or a little fewer if another thread than the writing one asks. */
    long sent() {
        return tail;
    }

    private void put(ByteBuffer source, int position, int length) {
        int offset = (int) tail & size - 1;
        int first = Math.min(length, size - offset);
        bytes.put(base + offset, source, position, first);
        if (first < length) {
            bytes.put(base, source, position + first, length - first);
        }
        tail += length;
    }

    /** Tells the peer how far the stream goes, if it does not know. */
    void publish() {
        if (told == tail) {
            return;
        }
        told = tail;
        slot.ownWord(LinkMemoryDescriptor.TAIL_OFFSET, tail);
        // The reader announces its sleep, fences, and looks at the tail: either it sees this one, or we see it sleep.
        VarHandle.fullFence();
        if (slot.isMet()) {
            long word = slot.peerWord(LinkMemoryDescriptor.READ_ARM_OFFSET);
            if (word != PeerArmWord.DISARMED && word != rung) {
                rung = word;
                slot.ring(word);
                if (current != null) {
                    look();
                }
            }
        }
    }

    /**
     * The peer was asleep, so that it had read everything: a good time for a look at how much has come since it slept last.
     * Beside the ringing, the clock costs nothing.
     */
    private void look() {
        long now = System.nanoTime();
        if (tail - tailAtRing > SMALL) {
            neededAtNs = now;
        }
        tailAtRing = tail;
        leaving = blocks == null && (wide || now - neededAtNs > QUIET_NS);
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
        refresh();
        if (head != tail || head <= switchedAt) {
            return;
        }
        enterBase();
        givePrevious();
    }

    /**
     * Gives a wide ring back as soon as the peer has read everything, so that a stream that is read runs in a ring that
     * stays in the caches, and the memory is there only while something lies in it.
     */
    private void leaveWide() throws PdException {
        refresh();
        if (head != tail || head <= switchedAt) {
            return;
        }
        SendRing ring = slot.link.takeRing(limits.read());
        if (ring == null) {
            enterBase();
            wide = false;
        } else {
            enterLarger(ring);
        }
        givePrevious();
    }

    private void enterBase() {
        bytes = slot.own.bytes();
        base = LinkMemoryDescriptor.baseRing(slot.number);
        fulls = 0;
        leaving = false;
        enter(null, LinkMemoryDescriptor.BASE_RING_LENGTH, (int) LinkMemoryDescriptor.BASE_RING);
    }

    /** Room for some of so many bytes, in a larger ring if the present one is full. */
    private int room(int wanted) throws PdException {
        int room = size - (int) (tail - Math.max(head, switchedAt));
        if (room >= wanted) {
            return room;
        }
        refresh();
        room = size - (int) (tail - Math.max(head, switchedAt));
        boolean granted = growth == Growth.GRANTED;
        if (room > 0) {
            if (granted) {
                growth = Growth.POSSIBLE;
            }
            return room;
        }
        measureReader();
        if (leavesWideForFastReader() || (granted ? growAtOnce() : grow(wanted))) {
            growth = Growth.NONE;
            return size;
        }
        // In this order: who finds no room finds out whether there may be more. And who did not get it does not ask
        // again.
        growth = granted || !mayGrow() ? Growth.NONE : Growth.POSSIBLE;
        publishedTail = tail;
        return 0;
    }

    /** The ring is full: how fast the peer reads. A wide ring would only be slower for a stream that is read fast. */
    private void measureReader() {
        long now = System.nanoTime();
        long read = head - headAtMeasure;
        long took = now - measuredSinceNs;
        if (read >= MEASURED_BYTES || took > MEASURED_NS) {
            readFast = took < read / FAST_BYTES_PER_NANO;
            measuredSinceNs = now;
            headAtMeasure = head;
        }
    }

    /**
     * Whether the peer reads about as fast as memory is copied, and is doing so now: it was seen to, and reads on within a few
     * microseconds. Belongs to the writing thread.
     */
    boolean isReadFast() {
        if (!readFast) {
            return false;
        }
        long before = slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET);
        long start = System.nanoTime();
        do {
            Thread.onSpinWait();
            if (slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET) != before) {
                return true;
            }
        } while (System.nanoTime() - start < READS_ON_NS);
        readFast = false;
        return false;
    }

    /** A stream that is read fast goes on in a ring that stays in the caches, once the peer has come to the wide one. */
    private boolean leavesWideForFastReader() {
        if (!wide || !readFast || head <= switchedAt) {
            return false;
        }
        SendRing ring = slot.link.takeRing(limits.read());
        if (ring == null) {
            return false;
        }
        enterLarger(ring);
        return true;
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

    private void givePrevious() {
        if (previous != null) {
            slot.link.giveRing(previous);
            previous = null;
        }
    }

    private boolean grow(int wanted) {
        fulls++;
        boolean isBase = current == null;
        // The last ring that the peer can be told of is for whoever would have to wait.
        if (isNextLast() || (!isBase && fulls < FULL_BEFORE_GROWTH && wanted <= size)) {
            return false;
        }
        return growTo(
                Math.max(isBase ? SMALLEST_LARGE_RING : size * 4, Integer.highestOneBit(wanted) * 2), limits.read());
    }

    /** Step by step as long as the peer reads, so that short bursts need no wide ring. */
    private boolean growAtOnce() {
        return growTo(isNextLast() ? LAST_RING : Math.max(SMALLEST_LARGE_RING, size * 4), limits.unread());
    }

    /** Whether the peer can be told of one more ring, and of no other before it has read from the present one. */
    private boolean isNextLast() {
        return switches > 0 && head <= switchedAt;
    }

    /**
     * Lets the next write make room where the peer does not read, perhaps because it writes as much itself before: a kernel
     * socket takes megabytes. For who would have to sleep otherwise, or go away with what is left, and not sooner, because a
     * stream that is read runs best in a ring that stays in the caches. Any thread.
     *
     * @return whether it is worth while to write now
     */
    boolean grantGrowth() {
        if (growth != Growth.POSSIBLE) {
            return false;
        }
        growth = Growth.GRANTED;
        return true;
    }

    /** Whether a write that found no room may find some after {@link #grantGrowth}. Any thread. */
    boolean isGrowthPossible() {
        return growth == Growth.POSSIBLE;
    }

    /** Whether there is a larger ring for the stream, and a place to tell the peer of it. */
    private boolean mayGrow() {
        return size < limits.unread() && head > switchedBefore && blocks == null;
    }

    private boolean growTo(int least, int most) {
        if (most <= size || !mayGrow()) {
            return false;
        }
        fulls = 0;
        SendRing larger = slot.link.takeRing(Math.min(most, least));
        if (larger == null) {
            return false;
        }
        enterLarger(larger);
        return true;
    }

    private void enterLarger(SendRing ring) {
        neededAtNs = System.nanoTime();
        bytes = ring.bytes();
        base = 0;
        fulls = 0;
        int length = bytes.capacity();
        boolean widens = length > limits.read();
        if (widens && !mine) {
            own();
        }
        wide = widens;
        leaving = widens;
        if (widens) {
            slot.link.widened(this);
        }
        enter(ring, length, Integer.numberOfTrailingZeros(length));
    }

    /** The stream goes on in another ring, whose bytes are set. */
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

    /** Whether it is worth while to write again after a write found no room: a quarter of the ring is free. Any thread. */
    boolean isWritable() {
        PeerBlocks inBlocks = blocks;
        if (inBlocks != null) {
            return inBlocks.isWritable();
        }
        if (growth == Growth.GRANTED) {
            return true;
        }
        // Who has not accepted yet has consumed nothing.
        long consumed = slot.isMet() ? slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET) : 0;
        long seen = Math.max(consumed, publishedSwitch);
        return seen >= blocksAwait && publishedTail - seen <= publishedSize - (publishedSize >> 2);
    }

    /** Whether the peer was seen to have consumed everything. Any thread, once nobody writes. */
    boolean isConsumed() {
        return slot.isMet() && slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET) == tail;
    }

    /** Whether something was sent that the peer has not consumed. Any thread. */
    boolean isUnread() {
        return slot.ownWord(LinkMemoryDescriptor.TAIL_OFFSET)
                != (slot.isMet() ? slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET) : 0);
    }

    /**
     * Whether the end of the stream, over TCP, would still wait behind bytes for which the peer has no room: a reset overtakes
     * it then. The peer may have read an eighth of the ring more than it has said.
     */
    boolean holdsUpItsEnd() {
        long unread = tail - (slot.isMet() ? slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET) : 0);
        return PeerReceiver.isTooMuch(unread - (size >> 3), size);
    }

    /** Gives the larger rings back: nobody writes any more, and the peer reads no more. The caller has the link's lock. */
    void release() {
        wide = false;
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
}
