// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.memory.MemoryFaultException;
import io.pipedevice.memory.ProgramMemory;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.protocol.RingWord;
import io.pipedevice.queue.CommandType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The receiving half of a connected socket: hands out the bytes that the driver put into the receive ring, and gives
 * their space back. Belongs to the receiving thread, except what says otherwise.
 */
final class Receiver {
    private static final LazyLogger LOG = new LazyLogger(Receiver.class);
    private static final int MORE = Integer.MIN_VALUE;

    /** Most bytes of a read that are copied before their space is given back: the sender continues meanwhile. */
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

    private final class Wait extends DriverWait {
        /** The socket's count of sends at the last wait; the waiting thread's. */
        private long sends;

        Wait() {
            super(session, slot, core, LibPageDescriptor.READ_ARM_OFFSET, ArmWord.IN);
        }

        /** A thread that has sent waits for an answer. */
        @Override
        protected long longestSpinNs() {
            long now = core.sends();
            boolean answered = now != sends;
            sends = now;
            return answered ? Long.MAX_VALUE : super.longestSpinNs();
        }
    }

    private final DriverSession session;
    private final SocketCore core;
    private final SocketSlot slot;
    private final MemorySegment ring;
    private final ByteBuffer bytes;
    final DriverWait wait;

    /**
     * The driver's word for the part of the ring that is used, its size, and the position of the stream at its
     * beginning.
     */
    private long ringWord;

    private int ringSize;
    private long start;

    /**
     * Positions in the stream: the end of the bytes that the driver has produced, was handed out, and was given back.
     */
    private long produced;

    private long handed;
    private long consumed;

    /** The wish for space that was served last. */
    private long servedWanted;

    /** The position of the last request that announced room to the driver. */
    private volatile long announced;

    private int wouldBlocks;

    Receiver(SocketCore core, MemorySegment ring) {
        this.core = core;
        this.session = core.session;
        this.slot = core.slot;
        this.ring = ring;
        this.bytes = ring.asByteBuffer();
        this.wait = new Wait();
    }

    int recv(int maxLength, PdBuffer into) throws PdException {
        if (maxLength < 1) {
            throw new IllegalArgumentException("recv of " + maxLength + " bytes");
        }
        core.requireWholeRings("recv");
        core.checkReusable(into);
        long position = handed;
        if (core.isInputShut() || (position == produced && !refresh())) {
            int result = nothing();
            if (result != MORE) {
                return result;
            }
        }
        int offset = offset(position);
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
        // In this order: a thread that announces this position to the driver has stored it before.
        slot.consumed(now);
        CONSUMED.setRelease(this, now);
        // The driver stores its wish, fences, and looks at what we store; so either it sees this, or we see the wish.
        VarHandle.fullFence();
        long wanted = slot.spaceWanted();
        if (now >= wanted && wanted != servedWanted) {
            servedWanted = wanted;
            announce();
        }
    }

    /** Copies the bytes that are there, and gives their space back. */
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
        try {
            do {
                readPiece(target);
            } while (target.hasRemaining() && handed != produced);
        } catch (MemoryFaultException e) {
            // The copied bytes are returned; the next read fails the same way.
            if (target.position() == before) {
                throw e;
            }
        }
        return target.position() - before;
    }

    private void readPiece(ByteBuffer target) {
        long position = handed;
        int offset = offset(position);
        int size = (int) Math.min(produced - position, Math.min(MAX_PIECE, ringSize - offset));
        size = Math.min(size, target.remaining());
        ProgramMemory.read(target, target.position(), bytes, offset, size);
        target.position(target.position() + size);
        HANDED.setRelease(this, position + size);
        giveBack(size);
    }

    /** Ignores the end of the driver: the program has the bytes, and learns of the end after the last of them. */
    private void giveBack(int size) {
        try {
            recvDone(size);
        } catch (PdException e) {
            LOG.get().log(System.Logger.Level.DEBUG, "room is not announced to the driver: {0}", e.getMessage());
        }
    }

    /** Waits until {@link #read} returns bytes, the end of the stream, or an exception. */
    boolean awaitReadable(long timeoutNs) throws PdException {
        return wait.await(timeoutNs);
    }

    /** Bytes that can be received without waiting. */
    int available() throws PdException {
        return core.isInputShut() || (handed == produced && !refresh()) ? 0 : (int) (produced - handed);
    }

    /** Whether bytes can be received. Any thread. */
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

    /** Reads the driver's count of bytes produced once, and checks it; whether some can be received. */
    private boolean refresh() throws PdException {
        long seen = slot.produced();
        // In this order: the word is at least as new as the count.
        long word = slot.ring();
        if (word != ringWord) {
            takeRing(word);
        }
        if (seen < produced || seen > consumed + ringSize) {
            throw session.link().nonsense("count of bytes produced");
        }
        produced = seen;
        return seen != handed;
    }

    private void takeRing(long word) throws PdException {
        long size = RingWord.size(word);
        if (size < Math.max(1, ringSize) || size > ring.byteSize()) {
            throw session.link().nonsense("part of a receive ring");
        }
        ringWord = word;
        ringSize = (int) size;
        start = RingWord.start(word);
    }

    private int offset(long position) {
        return (int) (position - start) & ringSize - 1;
    }

    /** The result when no bytes can be received: 0, the end of the stream, or the exception of a broken connection. */
    private int nothing() throws PdException {
        if (core.isInputShut()) {
            return PdSocket.END_OF_STREAM;
        }
        long state = slot.state();
        if (isEnded(state)) {
            // In this order: after this state the driver produces no more bytes.
            if (refresh()) {
                return MORE;
            }
            if ((state & DriverPageDescriptor.STATE_END_OF_FILE) != 0) {
                return PdSocket.END_OF_STREAM;
            }
            int errno = slot.error();
            throw new PdException(errno == 0 ? Errno.ECONNRESET : errno, "");
        }
        session.link().check();
        announceBeforeSleep();
        if (++wouldBlocks == DriverSession.LOOKS_BEFORE_CHECK) {
            wouldBlocks = 0;
            session.checkDriver();
        }
        return 0;
    }

    /**
     * Announces the space that there is to the driver: the program is about to wait for more bytes, and has given back
     * less space than the driver wants. Any thread.
     */
    void announceBeforeSleep() throws PdException {
        if (slot.spaceWanted() != Long.MAX_VALUE && announced != (long) CONSUMED.getAcquire(this)) {
            announce();
        }
    }

    private void announce() throws PdException {
        announced = (long) CONSUMED.getAcquire(this);
        session.requests().insist(CommandType.RECV_DONE, core.sid, 0, core.generation);
    }
}
