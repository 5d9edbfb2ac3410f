// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.SendBufferTable;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.CommandType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

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
    private final int ringSize;
    private final SendBufferTable table;
    final DriverWait wait;

    /** The calls that copy. */
    final SenderWrites writes;

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
        this.ringSize = (int) ring.byteSize();
        int inUse = Math.min(start, ringSize);
        this.table = new SendBufferTable(inUse, MAX_BLOCKS);
        this.wait = new Wait();
        this.writes = new SenderWrites(this, core, table, ring, inUse);
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
    boolean post(long block, int pointer, int length) throws PdException {
        if (!mayPost()) {
            return false;
        }
        if (!session.requests().post(CommandType.SEND, pointer, length, core.sid, 0, core.generation)) {
            requestRefused();
            return false;
        }
        POSTED.setOpaque(this, posted + 1);
        table.sent(block, posted);
        wouldBlocks = 0;
        pauses = 0;
        return true;
    }

    /** Whether another post may be under way; refuses the call if not. */
    boolean mayPost() throws PdException {
        if (posted - completed >= ControlMessage.MAX_OUTSTANDING_SENDS) {
            refresh();
            if (posted - completed >= ControlMessage.MAX_OUTSTANDING_SENDS) {
                refused(0);
                return false;
            }
        }
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
    void refresh() throws PdException {
        long seen = slot.sendsCompleted();
        if (seen != completed) {
            if (seen < completed || seen > posted) {
                throw session.link().nonsense("count of completed sends");
            }
            completed = seen;
        }
        reclaim();
    }

    /** Frees the blocks of the sends that were seen to be completed. */
    void reclaim() {
        table.reclaim(completed);
    }

    /** Fails if the connection has ended. */
    void checkPeer() throws PdException {
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

    /** The driver could not be notified: the call is to be tried again soon. */
    void requestRefused() throws PdException {
        requestsFull = true;
        refused(0);
    }

    /** There was no room for a block of {@code size} bytes, or, if that is 0, for a post. */
    void refused(int size) throws PdException {
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
