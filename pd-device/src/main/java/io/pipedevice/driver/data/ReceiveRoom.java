// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.memory.ReceiveBufferTable;
import java.lang.invoke.VarHandle;

/** The room in receive rings, of which the receivers' processes know more than the driver. Belongs to the driver's thread. */
final class ReceiveRoom {
    private final FaultyContainers faulty;
    private final DriverCounters counters;

    ReceiveRoom(FaultyContainers faulty, DriverCounters counters) {
        this.faulty = faulty;
        this.counters = counters;
    }

    /** Withdraws the request for a report of room. */
    static void wantNone(Endpoint receiver) {
        receiver.spaceWanted = false;
        receiver.slot.spaceWanted(Long.MAX_VALUE);
    }

    /**
     * Reads the receiver's count of consumed bytes. If there is still no room, asks its process to report when it has
     * consumed more.
     */
    boolean make(Endpoint receiver, int length) {
        ReceiveBufferTable table = receiver.received;
        if (!readConsumed(receiver)) {
            return false;
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

    /** Reads the container's count of consumed bytes once, and checks it. */
    boolean readConsumed(Endpoint receiver) {
        if (!receiver.opened) {
            return true;
        }
        if (!receiver.received.consume(receiver.slot.consumed())) {
            faulty.add(receiver.container, "count of bytes consumed out of range on socket " + receiver.sid);
            return false;
        }
        return true;
    }
}
