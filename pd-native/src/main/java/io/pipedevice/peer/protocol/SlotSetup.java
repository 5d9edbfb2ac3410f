// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

/**
 * Prepares this side's slot of a connection. STATE, which makes the other words valid, is written after they are reset.
 */
public final class SlotSetup {
    private SlotSetup() {}

    /**
     * Opens the connection on this side.
     *
     * @param own this side's memory
     * @param connection number of the slot
     * @param generation of the slot
     */
    public static void open(LinkMemory own, int connection, int generation) {
        set(own, connection, generation, LinkMemoryDescriptor.OPEN);
    }

    /**
     * Resets the connection, which this side never opens.
     *
     * @param own this side's memory
     * @param connection number of the slot
     * @param generation of the slot
     */
    public static void refuse(LinkMemory own, int connection, int generation) {
        set(own, connection, generation, LinkMemoryDescriptor.RESET | LinkMemoryDescriptor.CLOSED);
    }

    private static void set(LinkMemory own, int connection, int generation, int flags) {
        int slot = LinkMemoryDescriptor.slot(connection);
        add(own, slot + LinkMemoryDescriptor.TAIL_OFFSET, slot + LinkMemoryDescriptor.SENT_BEFORE_OFFSET);
        for (int count = 1; count <= 2; count++) {
            own.setRelease(slot + LinkMemoryDescriptor.ringOffset(count), LinkMemoryDescriptor.BASE_RING);
            own.setRelease(slot + LinkMemoryDescriptor.switchOffset(count), 0);
        }
        own.setRelease(slot + LinkMemoryDescriptor.URGENT_OFFSET, 0);
        add(own, slot + LinkMemoryDescriptor.HEAD_OFFSET, slot + LinkMemoryDescriptor.RECEIVED_BEFORE_OFFSET);
        own.setRelease(slot + LinkMemoryDescriptor.READ_ARM_OFFSET, PeerArmWord.DISARMED);
        own.setRelease(slot + LinkMemoryDescriptor.WRITE_ARM_OFFSET, PeerArmWord.DISARMED);
        own.setRelease(slot + LinkMemoryDescriptor.PROCESSOR_OFFSET, 0);
        own.setRelease(slot + LinkMemoryDescriptor.RANG_OFFSET, 0);
        own.setRelease(slot + LinkMemoryDescriptor.WANTED_OFFSET, 0);
        own.setRelease(slot + LinkMemoryDescriptor.STATE_OFFSET, LinkMemoryDescriptor.state(generation, flags));
    }

    /**
     * Resets a position, and adds it to those of the earlier connections; in this order, so that a reader of both that
     * reads the sum first never finds more than there was.
     */
    private static void add(LinkMemory own, int position, int before) {
        long sum = own.getAcquire(before) + own.getAcquire(position);
        own.setRelease(position, 0);
        own.setRelease(before, sum);
    }
}
