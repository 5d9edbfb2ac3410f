// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.memory.ReceiveBufferTable;
import io.pipedevice.memory.RingBuffer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.invoke.VarHandle;

/**
 * The room in receive rings, of which the receivers' processes know more than the driver. Belongs to the driver's
 * thread.
 */
final class ReceiveRoom {
    private static final System.Logger LOG = new LazyLogger(ReceiveRoom.class).get();

    private final FaultyProcesses faulty;
    private final DriverCounters counters;

    ReceiveRoom(FaultyProcesses faulty, DriverCounters counters) {
        this.faulty = faulty;
        this.counters = counters;
    }

    /** Withdraws the request for a report of room. */
    static void wantNone(Endpoint receiver) {
        receiver.spaceWanted = false;
        receiver.slot.spaceWanted(Long.MAX_VALUE);
    }

    /**
     * Reads the receiver's count of consumed bytes. If a ring that can grow has no room for {@code length} bytes behind
     * the others, begins it again or makes it larger. If there is still no room at all, asks the receiver's process to
     * report when it has consumed more.
     */
    boolean make(Endpoint receiver, int length) {
        ReceiveBufferTable table = receiver.received;
        if (!readConsumed(receiver)) {
            return false;
        }
        if (receiver.receiveRingGrows) {
            makeSpace(receiver, length);
        }
        if (table.free() > 0) {
            return true;
        }
        long wanted = table.consumed() + Math.min(length, table.ringSize() / 4);
        receiver.spaceWanted = true;
        receiver.slot.spaceWanted(wanted);
        VarHandle.fullFence();
        if (!readConsumed(receiver)) {
            return false;
        }
        if (table.free() > 0) {
            // Continue with less room than wanted: the receiver may have checked before it could see the request for
            // room, and may sleep now.
            wantNone(receiver);
            return true;
        }
        counters.stalls.add(1);
        return false;
    }

    /** Whether a copy needs more than is known to be free, or would be in the way of a ring's growth. */
    static boolean isScarce(Endpoint receiver, int length) {
        return receiver.received.free() < length || (receiver.receiveRingGrows && receiver.received.reachesEnd(length));
    }

    /** Begins a ring again that is empty, or makes it larger, before bytes on both sides of its end are in the way. */
    private static void makeSpace(Endpoint receiver, int length) {
        ReceiveBufferTable table = receiver.received;
        if (table.restart()) {
            receiver.slot.ring(table);
        }
        if (!table.reachesEnd(length)) {
            return;
        }
        int before = table.ringSize();
        int size = Math.min(receiver.receiveRing.size(), RingBuffer.grown(before));
        try {
            receiver.process.memory.receivePool.grow(receiver.receiveRing, before, size);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "a receive ring does not grow to {0} bytes: {1}", size, e.getMessage());
            receiver.receiveRingGrows = false;
            return;
        }
        // The sender causes it.
        receiver.peer.process.share.allocated(size - before);
        table.grow(size);
        receiver.receiveRingGrows = size < receiver.receiveRing.size();
        receiver.slot.ring(table);
    }

    /** Reads the process's count of consumed bytes once, and checks it. */
    boolean readConsumed(Endpoint receiver) {
        if (!receiver.opened) {
            return true;
        }
        if (!receiver.received.consume(receiver.slot.consumed())) {
            faulty.add(receiver.process, "count of bytes consumed out of range on socket " + receiver.sid);
            return false;
        }
        return true;
    }
}
