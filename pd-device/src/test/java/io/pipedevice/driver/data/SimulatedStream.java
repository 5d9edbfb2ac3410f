// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.CommandDescriptor;
import io.pipedevice.queue.CommandType;
import io.pipedevice.queue.EntryRingProducer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The two processes of a connection. One always has as many messages posted as it may; the other reads at once. */
final class SimulatedStream {
    private final Endpoint sender;
    private final EntryRingProducer requests;
    private final MemorySegment consumed;
    private final long consumedOffset;
    private final int message;
    private final int distance;
    private final int mostOutstanding;
    private long posted;

    SimulatedStream(
            Endpoint sender, EntryRingProducer requests, MemorySegment receiversPage, int message, int distance) {
        this.sender = sender;
        this.requests = requests;
        this.consumed = receiversPage;
        this.consumedOffset = LibPageDescriptor.slot(SimulatedDriver.REQUEST_DEPTH, sender.peer.sid)
                + LibPageDescriptor.CONSUMED_OFFSET;
        this.message = message;
        this.distance = distance;
        this.mostOutstanding = Math.min(ControlMessage.MAX_OUTSTANDING_SENDS, sender.sendSize / distance);
    }

    /** Bytes that were copied so far. */
    long bytes() {
        return sender.peer.received.produced();
    }

    Connection connection() {
        return sender.connection;
    }

    /** Reads everything that was copied. */
    void read(CopyScheduler copies) {
        consumed.set(ValueLayout.JAVA_LONG, consumedOffset, bytes());
        copies.spaceFreed(sender.peer);
    }

    /** Posts a message; false if as many are outstanding as may be, or the request ring is full. */
    boolean post() {
        long offset = posted % mostOutstanding * distance;
        int generation = sender.generation & CommandDescriptor.MAX_ID;
        boolean done = posted - sender.sendsCompleted < mostOutstanding
                && requests.offer(CommandType.SEND, offset, 0, message, sender.sid, 0, generation)
                        == EntryRingProducer.PUBLISHED;
        posted += done ? 1 : 0;
        return done;
    }
}
