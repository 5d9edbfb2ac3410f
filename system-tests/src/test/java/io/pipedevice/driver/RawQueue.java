// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.active.operation.OperationPageDescriptor;
import io.pipedevice.active.operation.OperationProducer;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;

/** The queue pair of an attachment that implements the protocol directly, with its pages. Used by one thread. */
final class RawQueue implements AutoCloseable {
    static final int DEPTH = 16;

    final SharedRegion page;
    final OperationProducer ring;
    private final SharedRegion completions;
    private final RawClient client;

    RawQueue(RawClient client) throws IOException {
        this.client = client;
        page = SharedRegion.create("pd-operations", OperationPageDescriptor.length(DEPTH, 1), false);
        page.allocate(0, page.size());
        new RegionMessage(client.request(RegionMessage.OPEN_QUEUES))
                .queues(1, DEPTH)
                .size(page.size());
        ControlMessage answer = client.call(page.fd());
        completions = SharedRegion.attach(client.received(), new RegionMessage(answer).size());
        ring = new OperationProducer(page.memory(), completions.memory(), DEPTH, 0);
    }

    /** Makes the driver look at what was posted. */
    void announce() {
        if (ring.announce()) {
            client.wakeDriver();
        }
    }

    /** Waits for the next completion, and returns its status. */
    int status() {
        announce();
        TestDriver.await("a completion", ring::poll);
        return ring.status();
    }

    @Override
    public void close() {
        page.close();
        completions.close();
    }
}
