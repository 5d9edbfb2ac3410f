// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdBufferOwner;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.SendBufferTable;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.ring.PeerRing;
import io.pipedevice.peer.ring.SendRing;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * The calls of a socket that copy nothing: they hand out blocks of this side's ring, and received bytes in place in the
 * peer's ring. Each checks first that the connection can be used, and resets it if the peer has broken the protocol.
 * Calls that send are for the writing thread, calls that receive are for the reading thread, except where noted.
 */
final class PeerInPlace extends PdBufferOwner {
    /** A ring that the stream has left at a position, while the program still has bytes before that position. */
    private record Left(RingViews.View view, long at) {}

    private final PeerSocket socket;
    private final ConnectionEnd end;
    private final PeerSlot slot;
    private final PeerAbsence absence;
    private final PeerSender sender;
    private final PeerReceiver receiver;
    private final RingViews views;

    /** The view of the blocks' memory that the program uses; null before the first block. */
    private MemorySegment blocks;

    /**
     * The view of the ring from which bytes were last handed out. This and the next two fields belong to the reading
     * thread.
     */
    private RingViews.View received;

    private long receivedWord;
    private final ArrayDeque<Left> left = new ArrayDeque<>(0);

    PeerInPlace(
            PeerSocket socket,
            ConnectionEnd end,
            PeerSlot slot,
            PeerAbsence absence,
            PeerSender sender,
            PeerReceiver receiver) {
        this.socket = socket;
        this.end = end;
        this.slot = slot;
        this.absence = absence;
        this.sender = sender;
        this.receiver = receiver;
        this.views = new RingViews(slot.rings);
    }

    @Override
    protected boolean isOpen() {
        return end.isOpen();
    }

    boolean malloc(int size, PdBuffer into) throws PdException {
        end.requireUsable("malloc");
        try {
            return takeBlock(size, into);
        } catch (PdException e) {
            throw end.failed(e);
        }
    }

    private boolean takeBlock(int size, PdBuffer into) throws PdException {
        int largest = sender.largestBlock();
        if (size < 1 || size > largest) {
            throw new IllegalArgumentException("a block has 1 to " + largest
                    + " bytes, the size of the send ring (SO_SNDBUF before connect or listen): " + size);
        }
        checkReusable(into);
        if (blocks == null && !enterBlocks()) {
            return false;
        }
        PeerBlocks from = sender.blocks();
        long block = from.take(size);
        if (block == SendBufferTable.FULL) {
            return false;
        }
        lendBlock(into, blocks, from.offsetOf(block), size, block);
        return true;
    }

    private boolean enterBlocks() throws PdException {
        SendRing ring = sender.enterBlocks();
        if (ring == null) {
            return false;
        }
        // The program must not write the entries behind the blocks.
        MemorySegment memory = MemorySegment.ofBuffer(ring.bytes()).asSlice(0, sender.largestBlock());
        blocks = views.open(memory, null).memory();
        return true;
    }

    boolean malloc(int size, PdBuffer into, long timeoutNs) throws PdException {
        PipeDevice.checkTimeout(timeoutNs);
        if (malloc(size, into)) {
            return true;
        }
        long start = System.nanoTime();
        long rest = timeoutNs;
        while (rest > 0 && socket.awaitWritable(rest)) {
            int errno = absence.whyGone();
            if (errno != Errno.ECONNRESET) {
                if (socket.isOutputShut()) {
                    throw new IllegalStateException("malloc after shutdownOutput");
                }
                if (malloc(size, into)) {
                    return true;
                }
            }
            if (errno != 0) {
                throw new PdException(errno, "");
            }
            rest = rest(start, timeoutNs);
        }
        return false;
    }

    int send(PdBuffer buffer, int offset, int length, long timeoutNs) throws PdException {
        PipeDevice.checkTimeout(timeoutNs);
        int sent = send(buffer, offset, length);
        long start = System.nanoTime();
        long rest = timeoutNs;
        while (sent == PdSocket.WOULD_BLOCK && rest > 0 && socket.awaitWritable(rest)) {
            sent = send(buffer, offset, length);
            rest = rest(start, timeoutNs);
        }
        return sent;
    }

    private static long rest(long start, long timeoutNs) {
        return timeoutNs == Long.MAX_VALUE ? timeoutNs : timeoutNs - (System.nanoTime() - start);
    }

    int send(PdBuffer buffer, int offset, int length) throws PdException {
        end.requireUsable("send");
        try {
            return post(buffer, offset, length);
        } catch (PdException e) {
            throw end.failed(e);
        }
    }

    private int post(PdBuffer buffer, int offset, int length) throws PdException {
        long block = blockOf(buffer);
        PeerBlocks from = sender.blocks();
        from.requireAllocated(block);
        checkPart(buffer, offset, length);
        if (socket.isOutputShut() && absence.whyGone() != Errno.ECONNRESET) {
            throw new IllegalStateException("send after shutdownOutput");
        }
        if (sender.isToNobody()) {
            return length;
        }
        return from.post(block, startOf(buffer) + offset, length) ? length : PdSocket.WOULD_BLOCK;
    }

    boolean isReusable(PdBuffer buffer) throws PdException {
        end.requireUsable("bufRefresh");
        try {
            return sender.blocks().isReusable(blockOf(buffer));
        } catch (PdException e) {
            throw end.failed(e);
        }
    }

    /** Any thread. */
    void free(PdBuffer buffer) {
        PeerBlocks from = sender.blocks();
        if (!from.free(blockOf(buffer))) {
            throw new IllegalStateException("double free: this block was freed before");
        }
        freed(buffer);
        if (from.isFreeAwaited()) {
            socket.wakeWatchers();
        }
    }

    int recv(int maxLength, PdBuffer into) throws PdException {
        end.requireUsable("recv");
        try {
            return take(maxLength, into);
        } catch (PdException e) {
            throw end.failed(e);
        }
    }

    private int take(int maxLength, PdBuffer into) throws PdException {
        if (maxLength < 1) {
            throw new IllegalArgumentException("recv of " + maxLength + " bytes");
        }
        checkReusable(into);
        int length = next(maxLength);
        if (length <= 0) {
            return length;
        }
        MemorySegment ring = received == null || receivedWord != receiver.ringWord() ? enterRing() : received.memory();
        lendReceived(into, ring, receiver.offset(), length);
        receiver.lend(length);
        return length;
    }

    private int next(int maxLength) throws PdException {
        try {
            return receiver.next(maxLength);
        } catch (IllegalStateException e) {
            throw end.unmapped("recv");
        }
    }

    int recv(int maxLength, PdBuffer into, long timeoutNs) throws PdException {
        PipeDevice.checkTimeout(timeoutNs);
        int length = recv(maxLength, into);
        long start = System.nanoTime();
        long rest = timeoutNs;
        while (length == 0 && rest > 0 && socket.awaitReadable(rest)) {
            length = recv(maxLength, into);
            rest = rest(start, timeoutNs);
        }
        return length;
    }

    private MemorySegment enterRing() throws PdException {
        RingViews.View next = open(receiver.ringWord());
        if (received != null) {
            left.add(new Left(received, receiver.enteredAt()));
            endLeft();
        }
        received = next;
        receivedWord = receiver.ringWord();
        return next.memory();
    }

    private RingViews.View open(long word) throws PdException {
        int number = LinkMemoryDescriptor.ringNumber(word);
        int length = LinkMemoryDescriptor.ringLength(word);
        if (number == 0) {
            int base = LinkMemoryDescriptor.baseRing(slot.number);
            return views.open(slot.peer.memory().asSlice(base, length), null);
        }
        PeerRing ring = slot.rings.hold(number, LinkMemoryDescriptor.ringMemory(word));
        return views.open(ring.region.memory().asSlice(0, length), ring);
    }

    void recvDone(int length) throws PdException {
        end.requireUsable("recvDone");
        long lent = receiver.lent();
        if (length < 0 || length > lent) {
            throw new IllegalStateException("recvDone of " + length + " bytes, but only " + lent
                    + " were received and not released: recvDone releases the oldest received bytes, in order");
        }
        receiver.takeBack(length);
        endLeft();
    }

    private void endLeft() {
        while (!left.isEmpty() && left.peek().at <= receiver.consumed()) {
            views.end(left.poll().view);
        }
    }

    /** Ends the access to all buffers of the closed socket. Any thread. */
    void close() {
        views.close();
        receiver.takeBackAll();
    }

    @Override
    public String toString() {
        return socket.toString();
    }
}
