// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.lib.PdException;
import java.lang.foreign.MemorySegment;

/**
 * The memory of the messages of a function in one queue of calls: a region of this process, and behind each message
 * room for the state of a run. Used by one thread at a time.
 */
final class MessageBuffer implements AutoCloseable {
    /** Messages begin in cache lines of their own. */
    private static final int ALIGNMENT = 64;

    private final Region region;
    private final MemorySegment memory;
    private final int messageLength;
    private final int stateOffset;
    private final int length;
    private final int slotLength;
    private final int count;
    private final boolean[] inUse;
    private int taken;

    MessageBuffer(RegionExchange exchange, RemoteFunction function, int count) throws PdException {
        this.count = count;
        this.inUse = new boolean[count];
        messageLength = function.messageLength();
        stateOffset = CallPageDescriptor.state(messageLength);
        length = stateOffset + function.stateLength();
        slotLength = rounded(length, ALIGNMENT);
        region = exchange.register((long) slotLength * count);
        memory = region.memory();
    }

    private static int rounded(int length, int to) {
        return (length + to - 1) / to * to;
    }

    /** Another message. */
    MemorySegment take() {
        if (taken == count) {
            throw new IllegalStateException("there are " + count + " messages of the function already");
        }
        return memory.asSlice((long) slotLength * taken++, messageLength);
    }

    /** Where a message is; -1 if it is none of these. */
    long offset(MemorySegment message) {
        long offset = message.address() - memory.address();
        return offset >= 0 && offset < (long) taken * slotLength && offset % slotLength == 0 ? offset : -1;
    }

    /** Bytes of a message with its state. */
    int length() {
        return length;
    }

    /** Where the state lies behind the message at an offset. */
    long state(long offset) {
        return offset + stateOffset;
    }

    MemorySegment memory() {
        return memory;
    }

    /** Whether a call uses the message at an offset. */
    boolean isInUse(long offset) {
        return inUse[(int) (offset / slotLength)];
    }

    /** Records that a call begins or ends to use the message at an offset. */
    void use(long offset, boolean used) {
        inUse[(int) (offset / slotLength)] = used;
    }

    int handle() {
        return region.handle();
    }

    @Override
    public void close() {
        region.close();
    }
}
