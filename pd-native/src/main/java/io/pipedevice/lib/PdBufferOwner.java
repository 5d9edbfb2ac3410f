// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One end of a connection that points {@link PdBuffer}s at its memory. The placements implement it; programs do not use
 * it. Its {@code toString} names the connection in messages.
 */
public abstract class PdBufferOwner {
    /** For a connection of either placement. */
    protected PdBufferOwner() {}

    /**
     * Whether the connection is open.
     *
     * @return false from the beginning of close on; its handles may then be used for other blocks
     */
    protected abstract boolean isOpen();

    /**
     * Fails if a handle holds a block that would be lost.
     *
     * @param into a handle that is about to point elsewhere
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
     * @param number by which this owner knows the block
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
     * The block that a handle holds. Fails, and names the broken rule, if the handle holds no block of this owner.
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
     * Fails if a part does not lie inside the block of a handle.
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
     * Notifies a handle that its block was freed.
     *
     * @param buffer holds a block before the call, and nothing after it
     */
    public final void freed(PdBuffer buffer) {
        buffer.freed();
    }

    /**
     * A view of memory that lives only as long as an arena. The caller closes the arena before it releases the memory.
     *
     * @param memory native memory
     * @param arena whose close ends the view
     * @return the view, read-only if the memory is
     */
    @SuppressWarnings("restricted")
    public static MemorySegment scoped(MemorySegment memory, Arena arena) {
        return memory.reinterpret(arena, null);
    }
}
