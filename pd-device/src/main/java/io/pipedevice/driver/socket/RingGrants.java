// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.socket;

import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.Endpoint;
import io.pipedevice.driver.data.SendRegion;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.QuotaExceededException;
import io.pipedevice.memory.ReceiveBufferTable;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;

/** The rings of a connection that begins: checks what a message says about them, and gives them to its sockets. */
final class RingGrants {
    private static final int MAX_COPIES_IN_FLIGHT = 1024;

    private RingGrants() {}

    /** Checks a size. */
    static int size(int size) throws Refusal {
        if (!RingBuffer.isSize(size)) {
            throw new Refusal(Errno.EINVAL, "ring size " + size);
        }
        return size;
    }

    /** How much of new rings is used at first, at most. */
    static int start(ControlMessage message) throws Refusal {
        return message.ringStart() == 0 ? RingBuffer.MAX_SIZE : size(message.ringStart());
    }

    /** A send ring that was checked, with its device address and how much of it is in use. */
    record SendRing(SendRegion region, long base, long offset, int size, int used) {}

    /** The send ring that a message names, in a region of the process. */
    static SendRing find(AttachedProcess process, ControlMessage message) throws Refusal {
        SendRegion region = process.memory.sendRegions.get(message.sendRegion());
        long offset = message.sendRingOffset();
        int size = message.sendRingSize();
        if (region == null
                || !RingBuffer.isSize(size)
                || offset < 0
                || offset % size != 0
                || offset > region.size() - size) {
            throw new Refusal(Errno.EINVAL, "the send ring is not in a region that was added");
        }
        int used = Math.min(size, start(message));
        try {
            return new SendRing(region, region.address(offset, used), offset, size, used);
        } catch (IOException e) {
            throw Refusal.exhausted(e, Errno.ENOMEM, "the send ring has no memory");
        }
    }

    /** Gives a socket its send ring, which its process owns. */
    static void give(Endpoint endpoint, SendRing ring) {
        endpoint.sendRing(ring.region, ring.base, ring.offset, ring.size, ring.used);
    }

    /** Gives a socket a receive ring, which the driver allocates. */
    static void giveNew(Endpoint endpoint, int size, int start) throws Refusal {
        int used = Math.min(size, start);
        try {
            RingBuffer ring = endpoint.process.memory.receivePool.take(size, used);
            endpoint.receiveRing(ring, new ReceiveBufferTable(used, MAX_COPIES_IN_FLIGHT));
        } catch (QuotaExceededException e) {
            throw new Refusal(Errno.ENOBUFS, e.getMessage());
        } catch (IOException e) {
            throw Refusal.exhausted(e, Errno.ENOMEM, "no memory for a receive ring");
        }
    }
}
