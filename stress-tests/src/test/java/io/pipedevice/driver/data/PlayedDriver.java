// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.share.ProcessCounters;
import io.pipedevice.driver.share.ProcessLimits;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.ReceiveBufferTable;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.queue.Command;
import io.pipedevice.wait.TokenBucket;
import java.io.IOException;
import java.util.List;

/**
 * A driver of one process, without a thread of its own: the test's threads call the driver's classes for the
 * process's sockets. Its resources live as long as the process.
 */
public final class PlayedDriver {
    private final DriverCounters counters;
    private final AttachedProcess process;
    private final Command request = new Command();
    private final ProcessPages pages;

    /** Serves the process to which these pages belong. Its only doorbell is number 0. */
    public PlayedDriver(SharedRegion libPage, SharedRegion driverPage, int requestDepth, int maxSockets)
            throws IOException {
        this.pages = new ProcessPages(libPage, driverPage, requestDepth, maxSockets);
        this.counters = new DriverCounters(1, List.of());
        UnixSocket[] doorbell = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        Identity identity = Identity.withoutAddresses(doorbell[0]);
        this.process = new AttachedProcess(
                new AttachmentTerms(
                        1,
                        identity,
                        new ContainerUse(identity),
                        new ProcessLimits(maxSockets, 0, driverPage.size(), TokenBucket.UNLIMITED, 1),
                        new ProcessCounters(counters, 1, "played")),
                pages,
                new DriverMemory(driverPage.size(), PlayedEnd.DEVICE, false, null, null, counters),
                null,
                0);
        // A closed doorbell rings without a system call, which would take longer than everything that the tests
        // measure.
        doorbell[0].close();
        doorbell[1].close();
        process.doorbells.add(new ProcessDoorbell(doorbell[0]));
    }

    /** Takes the posted requests; returns whether there were any. Any thread. */
    public synchronized boolean takeRequests() {
        boolean any = false;
        while (process.requests.poll(request)) {
            any = true;
        }
        if (any) {
            process.requests.flush();
        }
        return any;
    }

    /** Begins a generation of a socket. */
    public PlayedEnd open(int sid, int generation, int ringSize) {
        Slot slot = pages.slot(sid);
        slot.open(generation);
        slot.ring(new ReceiveBufferTable(ringSize, PlayedEnd.MAX_COPIES));
        Endpoint endpoint = new Endpoint(process, sid, generation, slot);
        endpoint.state = Endpoint.State.CONNECTED;
        endpoint.opened = true;
        endpoint.publishState();
        return new PlayedEnd(endpoint, counters);
    }
}
