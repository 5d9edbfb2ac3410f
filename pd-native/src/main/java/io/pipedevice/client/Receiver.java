// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.CommandType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The receiving half of a connected socket: hands out what the driver put into the receive ring, and gives it back.
 * Belongs to the receiving thread, except what says otherwise.
 */
final class Receiver {
    private static final LazyLogger LOG = new LazyLogger(Receiver.class);
    private static final int MORE = Integer.MIN_VALUE;

    /** Most bytes of a read that are copied before their space is given back: the sender goes on meanwhile. */
    private static final int MAX_PIECE = 64 << 10;

    private static final VarHandle HANDED;
    private static final VarHandle CONSUMED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HANDED = lookup.findVarHandle(Receiver.class, "handed", long.class);
            CONSUMED = lookup.findVarHandle(Receiver.class, "consumed", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Attachment attachment;
    private final SocketCore core;
    private final SocketSlot slot;
    private final MemorySegment ring;
    private final ByteBuffer bytes;
    private final int ringSize;
    final DriverWait wait;

    /** Positions in the stream: what the driver was seen to have produced, what was handed out, and given back. */
    private long produced;

    private long handed;
    private long consumed;

    /** The wish for space that was served last, and the position that the driver was last told of. */
    private long servedWanted;

    private volatile long told;
    private int wouldBlocks;

    Receiver(SocketCore core, MemorySegment ring) {
        this.core = core;
        this.attachment = core.attachment;
        this.slot = core.slot;
        this.ring = ring;
        this.bytes = ring.asByteBuffer();
        this.ringSize = (int) ring.byteSize();
        this.wait = new DriverWait(core, LibPageDescriptor.READ_ARM_OFFSET, ArmWord.IN);
    }

    int recv(int maxLength, PdBuffer into) throws PdException {
        if (maxLength < 1) {
            throw new IllegalArgumentException("recv of " + maxLength + " bytes");
        }
        core.checkReusable(into);
        long position = handed;
        if (core.isInputShut() || (position == produced && !refresh())) {
            int result = nothing();
            if (result != MORE) {
                return result;
            }
        }
        int offset = (int) position & ringSize - 1;
        int length = (int) Math.min(Math.min(maxLength, produced - position), ringSize - offset);
        HANDED.setRelease(this, position + length);
        wouldBlocks = 0;
        core.lendReceived(into, ring, offset, length);
        return length;
    }

    int recv(int maxLength, PdBuffer into, long timeoutNs) throws PdException {
        int length = recv(maxLength, into);
        if (length != 0 || timeoutNs <= 0) {
            return length;
        }
        if (handed - consumed == ringSize) {
            throw new IllegalStateException("the whole receive ring is handed out: nothing can arrive before recvDone");
        }
        long start = System.nanoTime();
        long left = timeoutNs;
        while (length == 0 && left > 0 && wait.await(left)) {
            length = recv(maxLength, into);
            left = timeoutNs == Long.MAX_VALUE ? timeoutNs : timeoutNs - (System.nanoTime() - start);
        }
        return length;
    }

    void recvDone(int length) throws PdException {
        if (length < 0 || length > handed - consumed) {
            throw new IllegalStateException("recvDone of " + length + " bytes, but only " + (handed - consumed)
                    + " were received and not released: recvDone releases the oldest received bytes, in order");
        }
        long now = consumed + length;
        // In this order: another thread that tells the driver of this position has it find the position.
        slot.consumed(now);
        CONSUMED.setRelease(this, now);
        // The driver stores its wish, fences, and looks at what we store; so either it sees this, or we see the wish.
        VarHandle.fullFence();
        long wanted = slot.spaceWanted();
        if (now >= wanted && wanted != servedWanted) {
            servedWanted = wanted;
            tell();
        }
    }

    /** Copies what there is, and gives its space back. */
    int read(ByteBuffer target) throws PdException {
        if (handed != consumed) {
            throw new IllegalStateException("read while " + (handed - consumed)
                    + " bytes that recv handed out are not released: recvDone comes first");
        }
        if (!target.hasRemaining()) {
            return 0;
        }
        if (core.isInputShut() || (handed == produced && !refresh())) {
            int result = nothing();
            if (result != MORE) {
                return result;
            }
        }
        wouldBlocks = 0;
        int before = target.position();
        do {
            readPiece(target);
        } while (target.hasRemaining() && handed != produced);
        return target.position() - before;
    }

    private void readPiece(ByteBuffer target) {
        long position = handed;
        int offset = (int) position & ringSize - 1;
        int size = (int) Math.min(produced - position, Math.min(MAX_PIECE, ringSize - offset));
        size = Math.min(size, target.remaining());
        target.put(target.position(), bytes, offset, size);
        target.position(target.position() + size);
        HANDED.setRelease(this, position + size);
        giveBack(size);
    }

    /** What was copied is the program's, also if the driver cannot be told any more: the end comes after what had arrived. */
    private void giveBack(int size) {
        try {
            recvDone(size);
        } catch (PdException e) {
            LOG.get().log(System.Logger.Level.DEBUG, "the driver is not told of room: {0}", e.getMessage());
        }
    }

    /** Waits until {@link #read} has something to say. */
    boolean awaitReadable(long timeoutNs) throws PdException {
        return wait.await(timeoutNs);
    }

    /** Bytes that can be received without waiting. */
    int available() throws PdException {
        return core.isInputShut() || (handed == produced && !refresh()) ? 0 : (int) (produced - handed);
    }

    /** Whether there is something that {@link #recv} would return. Any thread. */
    boolean isReadable() {
        return slot.produced() != (long) HANDED.getAcquire(this);
    }

    /** Bytes handed out since the beginning. Any thread. */
    long handed() {
        return (long) HANDED.getAcquire(this);
    }

    /** Any thread. */
    void wake() {
        wait.wake();
    }

    private static boolean isEnded(long state) {
        return (state & (DriverPageDescriptor.STATE_END_OF_FILE | DriverPageDescriptor.STATE_RESET)) != 0;
    }

    /** Looks what the driver produced, once and checked. */
    private boolean refresh() throws PdException {
        long seen = slot.produced();
        if (seen < produced || seen > consumed + ringSize) {
            throw attachment.link().nonsense("count of bytes produced");
        }
        produced = seen;
        return seen != handed;
    }

    /** The answer when there are no data: nothing now, the end, or why there will never be any. */
    private int nothing() throws PdException {
        if (core.isInputShut()) {
            return PdSocket.END_OF_STREAM;
        }
        long state = slot.state();
        if (isEnded(state)) {
            // In this order: the state says that nothing follows what is produced now.
            if (refresh()) {
                return MORE;
            }
            if ((state & DriverPageDescriptor.STATE_END_OF_FILE) != 0) {
                return PdSocket.END_OF_STREAM;
            }
            int errno = slot.error();
            throw new PdException(errno == 0 ? Errno.ECONNRESET : errno, "");
        }
        attachment.link().check();
        tellBeforeSleep();
        if (++wouldBlocks == Attachment.LOOKS_BEFORE_CHECK) {
            wouldBlocks = 0;
            attachment.checkDriver();
        }
        return 0;
    }

    /**
     * The program is going to wait for more although it has given back less than the driver wants: the driver must use
     * what space there is. Any thread.
     */
    void tellBeforeSleep() throws PdException {
        if (slot.spaceWanted() != Long.MAX_VALUE && told != (long) CONSUMED.getAcquire(this)) {
            tell();
        }
    }

    private void tell() throws PdException {
        told = (long) CONSUMED.getAcquire(this);
        attachment.requests().insist(CommandType.RECV_DONE, core.sid, 0, core.generation);
    }
}
