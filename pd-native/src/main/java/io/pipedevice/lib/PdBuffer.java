// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A handle of memory in a ring: a block that {@link PdConnection#malloc} took from the send ring, or data that
 * {@link PdConnection#recv} found in the receive ring. Made once and used for any number of blocks, so that messages
 * allocate nothing.
 *
 * <p>The bytes are at {@link #offset()} of {@link #memory()}, which is the whole ring. Memory of a send block is
 * writable, received memory is read-only. When the socket is closed, every access to the memory throws
 * {@link IllegalStateException}, also through a segment or buffer that was taken from a handle. After
 * {@link PdConnection#recvDone} or a free, such a segment or buffer shows later contents of the ring, or throws.
 *
 * <p>Received bytes lie in memory that another process writes. In the peer placement it is the peer's own memory, and a
 * peer that breaks the rules can change the bytes while the program reads them. A program that checks data of an
 * untrusted peer and then relies on them must copy them first.
 *
 * <p>Used by one thread at a time; handing it to another thread needs the usual happens-before.
 */
public final class PdBuffer {
    private static final long EMPTY = -1;
    private static final long RECEIVED = -2;
    private static final long FREED = -3;

    private PdBufferOwner owner;
    private MemorySegment memory;
    private long start;
    private int size;
    private long block = EMPTY;

    /** Creates a handle that holds nothing. */
    public PdBuffer() {}

    /**
     * The ring that the bytes are in.
     *
     * @return a segment in native memory, alive until the socket is closed; the same one for every block of the ring
     * @throws IllegalStateException if this handle holds nothing, or a block that was freed
     */
    public MemorySegment memory() {
        checkHolding();
        return memory;
    }

    /**
     * Where the bytes begin in {@link #memory()}.
     *
     * @return in bytes; a multiple of 8 for blocks of {@link PdConnection#malloc}, anything for received data
     */
    public long offset() {
        checkHolding();
        return start;
    }

    /**
     * How many bytes there are.
     *
     * @return the size that malloc was asked for, or the length that recv returned; 0 if this handle holds nothing
     */
    public int length() {
        return block == EMPTY || block == FREED ? 0 : size;
    }

    /**
     * Copies bytes out.
     *
     * @param from position in this buffer of the first byte, 0 to {@link #length()}
     * @param into receives them
     * @param intoOffset index of the first in {@code into}
     * @param count how many
     * @throws IndexOutOfBoundsException if they are not inside
     */
    public void copyTo(int from, byte[] into, int intoOffset, int count) {
        checkHolding();
        Objects.checkFromIndexSize(from, count, size);
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, start + from, into, intoOffset, count);
    }

    /**
     * Copies bytes in.
     *
     * @param to position in this buffer of the first byte, 0 to {@link #length()}
     * @param source where they come from
     * @param sourceOffset index of the first in {@code source}
     * @param count how many
     * @throws IndexOutOfBoundsException if they are not inside
     * @throws IllegalArgumentException if this handle holds received data, which are read-only
     */
    public void copyFrom(int to, byte[] source, int sourceOffset, int count) {
        checkHolding();
        Objects.checkFromIndexSize(to, count, size);
        MemorySegment.copy(source, sourceOffset, memory, ValueLayout.JAVA_BYTE, start + to, count);
    }

    /**
     * The bytes as a segment of their own. Allocates an object.
     *
     * @return {@link #length()} bytes of {@link #memory()}
     */
    public MemorySegment asSegment() {
        checkHolding();
        return memory.asSlice(start, size);
    }

    /**
     * The bytes as a buffer. Allocates objects.
     *
     * @return big-endian like every new buffer, position 0, limit {@link #length()}; read-only for received data
     */
    public ByteBuffer asByteBuffer() {
        return asSegment().asByteBuffer();
    }

    /** Fails if the handle holds a block of an open connection, which would be lost if it pointed elsewhere. */
    void checkReusable() {
        if (block >= 0 && owner.isOpen()) {
            throw new IllegalStateException(
                    "this PdBuffer holds a block of " + owner + ": free it first, or use another PdBuffer");
        }
    }

    void sendBlock(PdBufferOwner of, MemorySegment ring, int offset, int length, long number) {
        point(of, ring, offset, length);
        block = number;
    }

    void received(PdBufferOwner of, MemorySegment ring, int offset, int length) {
        point(of, ring, offset, length);
        block = RECEIVED;
    }

    private void point(PdBufferOwner of, MemorySegment ring, int offset, int length) {
        owner = of;
        memory = ring;
        start = offset;
        size = length;
    }

    void freed() {
        block = FREED;
    }

    /** The number of the block that this handle holds. Fails if the handle holds no block of the given owner. */
    long blockOf(PdBufferOwner of) {
        long number = block;
        if (number >= 0 && of.equals(owner)) {
            return number;
        }
        if (number == FREED) {
            throw new IllegalStateException("use of a freed block, or double free");
        }
        if (number == EMPTY) {
            throw new IllegalStateException("this PdBuffer holds nothing: malloc comes first");
        }
        throw new IllegalArgumentException(
                number == RECEIVED
                        ? "foreign buffer: it holds received data, not a block of malloc"
                        : "foreign buffer: its block belongs to " + owner + ", not to " + of);
    }

    long start() {
        return start;
    }

    int size() {
        return size;
    }

    private void checkHolding() {
        if (block < 0 && block != RECEIVED) {
            throw new IllegalStateException(
                    block == FREED ? "use of a freed block" : "this PdBuffer holds nothing yet");
        }
    }

    @Override
    public String toString() {
        if (block == EMPTY || block == FREED) {
            return block == EMPTY ? "PdBuffer{empty}" : "PdBuffer{freed}";
        }
        return "PdBuffer{" + (block == RECEIVED ? "received" : "block " + block) + ", offset=" + start + ", length="
                + size + ", of " + owner + '}';
    }
}
