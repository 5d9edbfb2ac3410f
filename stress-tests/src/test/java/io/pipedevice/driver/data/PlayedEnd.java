// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.share.Share;
import io.pipedevice.memory.ReceiveBufferTable;
import java.lang.foreign.MemorySegment;

/** A socket of a {@link PlayedDriver}; used by one thread at a time. */
public final class PlayedEnd {
    static final PlayedDevice DEVICE = new PlayedDevice();

    static final int MAX_COPIES = 16;

    private final DriverCounters counters;
    private final Endpoint endpoint;
    private final Notifier notifier;
    private CopyScheduler scheduler;
    private Endpoint sender;

    PlayedEnd(Endpoint endpoint, DriverCounters counters) {
        this.counters = counters;
        this.endpoint = endpoint;
        this.notifier = new Notifier(new FaultyProcesses(), counters);
    }

    /** Sets how many bytes are in the receive ring. */
    public void produced(long bytes) {
        endpoint.slot.produced(bytes);
        notifier.touch(endpoint, Notifier.IN);
    }

    /** Sets how many sends are completed. */
    public void completed(long sends) {
        endpoint.sendsCompleted = sends;
        endpoint.slot.sendsCompleted(sends);
        notifier.touch(endpoint, Notifier.OUT);
    }

    /** Ends the duty cycle; returns whether the doorbell was rung. */
    public boolean rings() {
        notifier.run(0);
        return endpoint.servedReadArm != 0 || endpoint.servedWriteArm != 0 || endpoint.servedEpollArm != 0;
    }

    /** Fills the receive ring with copies of this length, and posts another send from the peer. */
    public void full(int ringSize, int length) {
        ReceiveBufferTable table = new ReceiveBufferTable(ringSize, MAX_COPIES);
        for (int used = 0; used < ringSize; used += length) {
            table.complete(table.reserve(length));
        }
        endpoint.received = table;
        endpoint.slot.produced(ringSize);
        sender = new Endpoint(endpoint.process, 0, 1, endpoint.slot);
        sender.connection = new Connection(0, sender, endpoint);
        sender.sends = new SendQueue(1, length);
        sender.sends.post(0, length);
        scheduler = new CopyScheduler(DEVICE, new Completions(DEVICE, null, notifier, null, counters), null, counters);
    }

    /** Uses the first bytes of the receive ring, which is empty. */
    public void part(int size) {
        endpoint.received = new ReceiveBufferTable(size, MAX_COPIES);
        endpoint.slot.ring(endpoint.received);
    }

    /** Takes the reader's count of consumed bytes, and begins the ring again if that is all. */
    public boolean restart() {
        endpoint.received.consume(endpoint.slot.consumed());
        boolean done = endpoint.received.restart();
        if (done) {
            endpoint.slot.ring(endpoint.received);
        }
        return done;
    }

    /** Uses more of the receive ring. */
    public void grow(int size) {
        endpoint.received.grow(size);
        endpoint.slot.ring(endpoint.received);
    }

    /** Copies bytes of one value into the receive ring, and publishes them. */
    public void put(MemorySegment ring, byte value, int length) {
        ReceiveBufferTable table = endpoint.received;
        int entry = table.reserve(length);
        ring.asSlice(table.pointer(entry), table.size(entry)).fill(value);
        table.complete(entry);
        produced(table.produced());
    }

    /** Gives the sender its turn; returns whether the send was copied. */
    public boolean copies() {
        // Begin a duty cycle in which the device has completed its commands. All simulated ends belong to one
        // process, and each has a scheduler of its own.
        endpoint.process.share.refill(Share.TURN_NS);
        endpoint.process.sending.clear();
        endpoint.process.scheduled = false;
        scheduler.schedule(sender);
        return scheduler.submit(0, null) > 0;
    }
}
