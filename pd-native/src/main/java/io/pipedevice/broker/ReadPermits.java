// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.PermitPageDescriptor;
import io.pipedevice.protocol.PermitWord;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.function.BooleanSupplier;

/**
 * The permits by which a driver may read the sockets of questions, in one session. The garbage collector unmaps the
 * memory, because connections may need a permit's word for longer than the session. Thread safe.
 */
final class ReadPermits {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment own;
    private final MemorySegment driver;
    private final BooleanSupplier isOver;

    /** Guarded by itself. */
    private final BitSet used = new BitSet(PermitPageDescriptor.SLOTS);

    private ReadPermits(MemorySegment own, MemorySegment driver, BooleanSupplier isOver) {
        this.own = own;
        this.driver = driver;
        this.isOver = isOver;
    }

    /**
     * Creates the memory, without permits.
     *
     * @param driver descriptor of the driver's memory; the caller closes it
     * @param size of the driver's memory, as it says
     * @param isOver whether the session has ended
     * @param pass sends the descriptor to the driver
     */
    static ReadPermits open(Fd driver, long size, BooleanSupplier isOver, Passing pass) throws IOException {
        SharedRegion.check(driver, size);
        if (size != PermitPageDescriptor.driverLength()) {
            throw new IOException("the driver's memory for permits has " + size + " bytes");
        }
        MemorySegment theirs = Memory.map(driver, 0, size, false, Arena.ofAuto());
        long length = PermitPageDescriptor.length();
        try (Fd fd = Memory.memfd("pd-permits", Memory.PageSize.NORMAL)) {
            Memory.resize(fd, length);
            MemorySegment own = Memory.map(fd, 0, length, true, Arena.ofAuto());
            Memory.allocate(fd, 0, own);
            own.set(LONG, PermitPageDescriptor.MAGIC_OFFSET, PermitPageDescriptor.MAGIC);
            own.set(LONG, PermitPageDescriptor.VERSION_OFFSET, PermitPageDescriptor.VERSION);
            Memory.addSeals(fd, SharedRegion.REQUIRED_SEALS);
            pass.send(fd, length);
            return new ReadPermits(own, theirs, isOver);
        }
    }

    /** Sends a descriptor to the driver. */
    @FunctionalInterface
    interface Passing {
        void send(Fd memory, long length) throws IOException;
    }

    /** Permits the driver to read the socket of a question; null if too many are permitted. */
    ReadPermit grant(int request) {
        int slot;
        synchronized (used) {
            slot = used.nextClearBit(0);
            if (slot >= PermitPageDescriptor.SLOTS) {
                return null;
            }
            used.set(slot);
        }
        PermitWord.grant(own, slot, request);
        return new ReadPermit(this, slot, request);
    }

    /** Of {@link ReadPermit}: called once. */
    void withdraw(int slot) {
        PermitWord.withdraw(own, slot);
        synchronized (used) {
            used.clear(slot);
        }
    }

    /** Whether the driver reads the socket of a question whose permit was withdrawn, as far as its word says. */
    boolean isRead(int request) {
        return PermitWord.isRead(driver, request);
    }

    /** Whether the session has ended, so that the driver may be dead. */
    boolean isOver() {
        return isOver.getAsBoolean();
    }
}
