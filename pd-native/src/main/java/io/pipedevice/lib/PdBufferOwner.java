// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One end of a connection that points {@link PdBuffer}s at its memory: what the placements implement. Programs have no use
 * for it. Its text names the connection in messages.
 */
public abstract class PdBufferOwner {
    /** For a connection of whichever placement. */
    protected PdBufferOwner() {}

    /**
     * Whether nobody closed the connection.
     *
     * @return false from the beginning of close on: its buffers may be used for others
     */
    protected abstract boolean isOpen();

    /**
     * Fails if a handle holds a block that would be lost.
     *
     * @param into about to be pointed elsewhere
     */
    public final void checkReusable(PdBuffer into) {
        into.checkReusable();
    }

    /**
     * Points a handle at a block.
     *
     * @param into becomes the block's handle
     * @param ring the memory that {@code offset} counts in
     * @param offset of the block
     * @param length of the block
     * @param number of the block, which this owner knows it by
     */
    public final void lendBlock(PdBuffer into, MemorySegment ring, int offset, int length, long number) {
        into.sendBlock(this, ring, offset, length, number);
    }

    /**
     * Points a handle at received bytes.
     *
     * @param into becomes their handle
     * @param ring the memory that {@code offset} counts in
     * @param offset of the bytes
     * @param length of the bytes
     */
    public final void lendReceived(PdBuffer into, MemorySegment ring, int offset, int length) {
        into.received(this, ring, offset, length);
    }

    /**
     * The block that a handle holds. Fails with the rule that is broken if it holds none of this owner's.
     *
     * @param buffer from the program
     * @return its number
     */
    public final long blockOf(PdBuffer buffer) {
        return buffer.blockOf(this);
    }

    /**
     * Where the block of a handle lies.
     *
     * @param buffer holds a block
     * @return offset in its ring
     */
    public final int startOf(PdBuffer buffer) {
        return (int) buffer.start();
    }

    /**
     * Fails unless a part lies in the block of a handle.
     *
     * @param buffer holds a block
     * @param offset of the part
     * @param length of the part, in bytes
     */
    public final void checkPart(PdBuffer buffer, int offset, int length) {
        if (offset < 0 || length < 1 || length > buffer.size() - offset) {
            throw new IllegalArgumentException("send of " + length + " bytes at " + offset + " of a block of "
                    + buffer.size() + ": it must lie inside, and have at least one byte");
        }
    }

    /**
     * The block of a handle is no more.
     *
     * @param buffer holds a block; then nothing
     */
    public final void freed(PdBuffer buffer) {
        buffer.freed();
    }

    /**
     * The same memory, alive only as long as an arena; the arena is closed before the memory goes.
     *
     * @param memory in native memory
     * @param arena ends the view
     * @return read-only if the memory is
     */
    @SuppressWarnings("restricted")
    public static MemorySegment scoped(MemorySegment memory, Arena arena) {
        return memory.reinterpret(arena, null);
    }
}
