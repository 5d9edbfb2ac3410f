// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.ByteSource;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.Gather;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.memory.SendBufferTable;
import io.pipedevice.queue.CommandType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The calls of a sender that copy: they fill blocks of the send ring, whose used part grows with them, and post them.
 * Belongs to the sending thread.
 */
final class SenderWrites {
    /** Most bytes of a write in one post: the device copies the first while the next are written. */
    private static final int MAX_PIECE = 64 << 10;

    private final Sender sender;
    private final SocketCore core;
    private final SendBufferTable table;
    private final ByteBuffer bytes;
    private final int ringSize;

    /** How much of the ring is used; the whole if the ring cannot grow. */
    private int inUse;

    /** The size at which growing failed for want of memory; it is not tried again. */
    private int growthEnd;

    private final Gather gather = new Gather();

    /**
     * @param table of the blocks of the ring
     * @param inUse how much of the ring is used at first
     */
    SenderWrites(Sender sender, SocketCore core, SendBufferTable table, MemorySegment ring, int inUse) {
        this.sender = sender;
        this.core = core;
        this.table = table;
        this.bytes = ring.asByteBuffer();
        this.ringSize = (int) ring.byteSize();
        this.inUse = inUse;
        this.growthEnd = ringSize;
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
            begin();
            while (gather.left() > 0) {
                int size = writePiece();
                if (size == 0) {
                    break;
                }
                gather.take(size);
                sender.reclaim();
            }
        } finally {
            taken = gather.end();
        }
        return taken;
    }

    /** Posts as many bytes of a source as there is room for; returns their count. */
    long write(ByteSource source, long from, long most) throws PdException {
        begin();
        long taken = 0;
        int size;
        int count;
        do {
            size = roomFor(most - taken);
            count = size == 0 ? 0 : writePiece(source, from + taken, size);
            taken += count;
            sender.reclaim();
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
            return count > 0 && sender.post(block, pointer, count) ? count : 0;
        } finally {
            table.release(block);
        }
    }

    /** Fails where a write would. */
    void dropUrgent() throws PdException {
        begin();
    }

    private void begin() throws PdException {
        sender.checkPeer();
        if (core.isOutputShut()) {
            throw new PdException(Errno.EPIPE, "");
        }
        sender.refresh();
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
            return sender.post(block, pointer, size) ? size : 0;
        } finally {
            table.release(block);
        }
    }

    /** The size of the next block, for at most the bytes that are left; 0 if there is no room. */
    private int roomFor(long left) throws PdException {
        if (!sender.mayPost()) {
            return 0;
        }
        if (inUse < growthEnd && table.reachesEnd((int) Math.min(left, MAX_PIECE)) && !grow()) {
            sender.requestRefused();
            return 0;
        }
        int size = table.fit((int) Math.min(left, maxPiece()));
        if (size == 0) {
            sender.refused((int) Math.min(left, maxPiece()));
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
        if (!core.session.requests().post(CommandType.SEND_RING_GREW, 0, size, core.sid, 0, core.generation)) {
            return false;
        }
        table.grow(size);
        inUse = size;
        return true;
    }
}
