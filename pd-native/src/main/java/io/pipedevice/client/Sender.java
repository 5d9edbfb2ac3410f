// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.ByteSource;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.Gather;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.memory.SendBufferTable;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.CommandType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The sending half of a connected socket: allocates blocks in the send ring, and posts them. Belongs to the sending
 * thread, except the methods whose comment names any thread.
 */
final class Sender {
    static final int MAX_BLOCKS = ControlMessage.MAX_OUTSTANDING_SENDS;
    private static final VarHandle POSTED;

    static {
        try {
            POSTED = MethodHandles.lookup().findVarHandle(Sender.class, "posted", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Most bytes of a write in one post: the device copies the first while the next are written. */
    private static final int MAX_PIECE = 64 << 10;

    private final class Wait extends DriverWait {
        Wait() {
            super(session, slot, core, LibPageDescriptor.WRITE_ARM_OFFSET, ArmWord.OUT);
        }

        @Override
        void beforeSleep() {
            announceWanted();
        }
    }

    private final DriverSession session;
    private final SocketCore core;
    private final SocketSlot slot;
    private final MemorySegment ring;
    private final ByteBuffer bytes;
    private final int ringSize;

    /** How much of the ring is used; the whole if the ring cannot grow. */
    private int inUse;

    /** The size at which growing failed for want of memory; it is not tried again. */
    private int growthEnd;

    private final SendBufferTable table;
    private final Gather gather = new Gather();
    final DriverWait wait;
    /** Written by the sending thread; any thread may read it for a guess. */
    private long posted;

    private long completed;
    private int wouldBlocks;
    private int refusalCount;
    private boolean requestsFull;

    /** The number of pauses since the last post. */
    private int pauses;

    /** The count of completed sends at which a refused call can succeed; {@code NEVER} if it needs a free instead. */
    private volatile long writeWanted;

    /** Whether the socket's words may be another socket's; under this object's monitor. */
    private boolean ended;

    /** The count of calls that found no room, from which an edge-triggered watcher knows that there was an edge. */
    private volatile int refusals;

    Sender(SocketCore core, MemorySegment ring, int start) {
        this.core = core;
        this.session = core.session;
        this.slot = core.slot;
        this.ring = ring;
        this.bytes = ring.asByteBuffer();
        this.ringSize = (int) ring.byteSize();
        this.inUse = Math.min(start, ringSize);
        this.growthEnd = ringSize;
        this.table = new SendBufferTable(inUse, MAX_BLOCKS);
        this.wait = new Wait();
    }

    boolean malloc(int size, PdBuffer into) throws PdException {
        core.requireWholeRings("malloc");
        checkSize(size);
        core.checkReusable(into);
        refresh();
        long block = table.allocate(size);
        if (block == SendBufferTable.FULL) {
            refused(size);
            return false;
        }
        wouldBlocks = 0;
        core.lendBlock(into, ring, table.pointer(block), size, block);
        return true;
    }

    boolean malloc(int size, PdBuffer into, long timeoutNs) throws PdException {
        if (malloc(size, into)) {
            return true;
        }
        long start = System.nanoTime();
        long left = timeoutNs;
        while (left > 0 && wait.await(left)) {
            checkPeer();
            if (core.isOutputShut()) {
                throw new IllegalStateException("malloc after shutdownOutput");
            }
            if (malloc(size, into)) {
                return true;
            }
            left = left(start, timeoutNs);
        }
        return false;
    }

    int send(PdBuffer buffer, int offset, int length) throws PdException {
        long block = blockOf(buffer);
        core.checkPart(buffer, offset, length);
        checkPeer();
        if (core.isOutputShut()) {
            throw new IllegalStateException("send after shutdownOutput");
        }
        return post(block, core.startOf(buffer) + offset, length) ? length : PdSocket.WOULD_BLOCK;
    }

    /** Posts a part of the ring; false if too many posts are under way. */
    private boolean post(long block, int pointer, int length) throws PdException {
        if (!mayPost()) {
            return false;
        }
        if (!session.requests().post(CommandType.SEND, pointer, length, core.sid, 0, core.generation)) {
            requestsFull = true;
            refused(0);
            return false;
        }
        POSTED.setOpaque(this, posted + 1);
        table.sent(block, posted);
        wouldBlocks = 0;
        pauses = 0;
        return true;
    }

    private boolean mayPost() throws PdException {
        if (posted - completed >= ControlMessage.MAX_OUTSTANDING_SENDS) {
            refresh();
            if (posted - completed >= ControlMessage.MAX_OUTSTANDING_SENDS) {
                refused(0);
                return false;
            }
        }
        return true;
    }

    /** Copies and posts as many bytes as there is room for; returns their count. */
    int write(ByteBuffer source) throws PdException {
        gather.begin(source);
        return (int) write();
    }

    /** Writes from several buffers; bytes that fit into one block are posted as one. */
    long write(ByteBuffer[] sources, int offset, int length) throws PdException {
        gather.begin(sources, offset, length);
        return write();
    }

    private long write() throws PdException {
        long taken;
        try {
            beginWrite();
            while (gather.left() > 0) {
                int size = writePiece();
                if (size == 0) {
                    break;
                }
                gather.take(size);
                table.reclaim(completed);
            }
        } finally {
            taken = gather.end();
        }
        return taken;
    }

    /** Posts as many bytes of a source as there is room for; returns their count. */
    long write(ByteSource source, long from, long most) throws PdException {
        beginWrite();
        long taken = 0;
        int size;
        int count;
        do {
            size = roomFor(most - taken);
            count = size == 0 ? 0 : writePiece(source, from + taken, size);
            taken += count;
            table.reclaim(completed);
        } while (taken < most && size > 0 && count == size);
        return taken;
    }

    /**
     * Returns the count of bytes posted: fewer than {@code size} if the source has put fewer, or they cannot be posted
     * now.
     */
    private int writePiece(ByteSource source, long from, int size) throws PdException {
        long block = table.allocate(size);
        try {
            int pointer = table.pointer(block);
            int count = source.put(from, bytes, pointer, size);
            return count > 0 && post(block, pointer, count) ? count : 0;
        } finally {
            table.release(block);
        }
    }

    /** Fails where a write would. */
    void dropUrgent() throws PdException {
        beginWrite();
    }

    private void beginWrite() throws PdException {
        checkPeer();
        if (core.isOutputShut()) {
            throw new PdException(Errno.EPIPE, "");
        }
        refresh();
    }

    /** Returns the count of bytes posted, 0 if there is no room. */
    private int writePiece() throws PdException {
        int size = roomFor(gather.left());
        if (size == 0) {
            return 0;
        }
        long block = table.allocate(size);
        try {
            int pointer = table.pointer(block);
            gather.copy(bytes, pointer, size);
            return post(block, pointer, size) ? size : 0;
        } finally {
            table.release(block);
        }
    }

    /** The size of the next block, for at most the bytes that are left; 0 if there is no room. */
    private int roomFor(long left) throws PdException {
        if (!mayPost()) {
            return 0;
        }
        if (inUse < growthEnd && table.reachesEnd((int) Math.min(left, MAX_PIECE)) && !grow()) {
            requestsFull = true;
            refused(0);
            return 0;
        }
        int size = table.fit((int) Math.min(left, maxPiece()));
        if (size == 0) {
            refused((int) Math.min(left, maxPiece()));
        }
        return size;
    }

    private int maxPiece() {
        return Math.min(MAX_PIECE, inUse < growthEnd ? Math.max(RingBuffer.MIN_SIZE, inUse / 4) : inUse / 4);
    }

    /**
     * Grows the part of the ring that is in use. If memory is exhausted, the ring keeps its present size for good. This
     * happens before a block lies at the ring's beginning while others are in use: from then on they would be in the
     * way.
     *
     * @return false if neither is possible now: the write is to be tried again soon
     */
    private boolean grow() throws PdException {
        int size = Math.min(ringSize, RingBuffer.grown(inUse));
        int possible = core.growSendRing(inUse, size);
        if (possible < size) {
            growthEnd = possible == 0 ? growthEnd : inUse;
            return possible != 0;
        }
        if (!session.requests().post(CommandType.SEND_RING_GREW, 0, size, core.sid, 0, core.generation)) {
            return false;
        }
        table.grow(size);
        inUse = size;
        return true;
    }

    /** Waits until a write can succeed. */
    boolean awaitWritable(long timeoutNs) throws PdException {
        if (requestsFull) {
            requestsFull = false;
            pause();
            return true;
        }
        return wait.await(timeoutNs);
    }

    private void pause() {
        session.requests().pause(pauses++);
    }

    int send(PdBuffer buffer, int offset, int length, long timeoutNs) throws PdException {
        int sent = send(buffer, offset, length);
        if (sent != PdSocket.WOULD_BLOCK) {
            return sent;
        }
        long start = System.nanoTime();
        long left = timeoutNs;
        while (left > 0 && wait.await(left)) {
            sent = send(buffer, offset, length);
            if (sent != PdSocket.WOULD_BLOCK) {
                return sent;
            }
            if (isWritable()) {
                pause();
            }
            left = left(start, timeoutNs);
        }
        return PdSocket.WOULD_BLOCK;
    }

    boolean isReusable(PdBuffer buffer) throws PdException {
        long send = table.lastSend(blockOf(buffer));
        if (send > completed) {
            refresh();
            if (send > completed) {
                // A send that is under way when the connection ends is never completed.
                checkPeer();
                countWouldBlock();
                return false;
            }
        }
        return true;
    }

    /** Any thread. */
    void free(PdBuffer buffer) {
        if (!table.release(core.blockOf(buffer))) {
            throw new IllegalStateException("double free: this block was freed before");
        }
        core.freed(buffer);
        if (writeWanted == SendBufferTable.NEVER) {
            writeWanted = 0;
            wait.wake();
            core.touchEpoll();
        }
    }

    /** Whether a refused call can succeed now. Any thread. */
    boolean isWritable() {
        return slot.sendsCompleted() >= writeWanted
                || core.isOutputShut()
                || (slot.state() & DriverPageDescriptor.STATE_RESET) != 0
                || session.link().isBroken();
    }

    /** The count of sends that were posted. Any thread. */
    long posts() {
        return (long) POSTED.getOpaque(this);
    }

    /** Any thread. */
    int refusals() {
        return refusals;
    }

    /**
     * Announces the count of completed sends for which a thread is about to sleep. Any thread, one at a time: a value
     * that one thread has read must not replace a later one of another thread.
     */
    synchronized void announceWanted() {
        if (!ended) {
            slot.writeWanted(writeWanted);
        }
    }

    /** No thread announces any more: the socket is closed. */
    synchronized void end() {
        ended = true;
    }

    /** Any thread. */
    void wake() {
        wait.wake();
    }

    private static long left(long start, long timeoutNs) {
        return timeoutNs == Long.MAX_VALUE ? timeoutNs : timeoutNs - (System.nanoTime() - start);
    }

    private void checkSize(int size) {
        if (size < 1 || size > ringSize) {
            throw new IllegalArgumentException("a block has 1 to " + ringSize
                    + " bytes, the size of the send ring (SO_SNDBUF before connect or listen): " + size);
        }
    }

    private long blockOf(PdBuffer buffer) {
        long block = core.blockOf(buffer);
        if (!table.isAllocated(block)) {
            throw new IllegalStateException("use of a freed block");
        }
        return block;
    }

    /** Reads the driver's count of completed sends once, checks it, and frees their blocks. */
    private void refresh() throws PdException {
        long seen = slot.sendsCompleted();
        if (seen != completed) {
            if (seen < completed || seen > posted) {
                throw session.link().nonsense("count of completed sends");
            }
            completed = seen;
        }
        table.reclaim(completed);
    }

    /** Fails if the connection has ended. */
    private void checkPeer() throws PdException {
        if ((slot.state() & DriverPageDescriptor.STATE_RESET) != 0) {
            int errno = slot.error();
            throw new PdException(errno == 0 ? Errno.ECONNRESET : errno, "");
        }
        session.link().check();
    }

    private void countWouldBlock() throws PdException {
        if (++wouldBlocks == DriverSession.LOOKS_BEFORE_CHECK) {
            wouldBlocks = 0;
            session.checkDriver();
        }
    }

    /** There was no room for a block of {@code size} bytes, or, if that is 0, for a post. */
    private void refused(int size) throws PdException {
        countWouldBlock();
        if (writeWanted != SendBufferTable.NEVER && slot.sendsCompleted() < writeWanted) {
            return;
        }
        if (size == 0) {
            // If no send is under way then other sockets' posts fill the ring of requests: try again soon.
            writeWanted = Math.min(completed + 1, posted);
        } else {
            // In this order: a thread that frees a block after this look sees that this thread waits for it.
            writeWanted = SendBufferTable.NEVER;
            long needed = table.sendToAwait(size);
            if (needed != SendBufferTable.NEVER) {
                writeWanted = needed;
            }
        }
        refusals = ++refusalCount;
        core.touchEpoll();
    }
}
