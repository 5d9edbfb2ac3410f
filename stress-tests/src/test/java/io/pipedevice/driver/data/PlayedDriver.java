// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.share.ProcessCounters;
import io.pipedevice.driver.share.ProcessLimits;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.ReceiveBufferTable;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
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
    private final int requestDepth;
    private final int maxSockets;
    private final SharedRegion libPage;
    private final SharedRegion driverPage;

    /** Serves the process to which these pages belong. Its only doorbell is number 0. */
    public PlayedDriver(SharedRegion libPage, SharedRegion driverPage, int requestDepth, int maxSockets)
            throws IOException {
        this.libPage = libPage;
        this.driverPage = driverPage;
        this.requestDepth = requestDepth;
        this.maxSockets = maxSockets;
        this.counters = new DriverCounters(1, List.of());
        UnixSocket[] doorbell = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        Identity identity = Identity.withoutAddresses(doorbell[0]);
        this.process = new AttachedProcess(
                1,
                identity,
                doorbell[0],
                new ContainerUse(identity),
                new ProcessLimits(maxSockets, 0, driverPage.size(), TokenBucket.UNLIMITED, 1),
                new ProcessCounters(counters, 1, "played"),
                PlayedEnd.DEVICE,
                null,
                null,
                null,
                libPage,
                driverPage,
                requestDepth,
                maxSockets,
                false,
                0);
        // A closed doorbell rings without a system call, which would take longer than everything that the tests
        // measure.
        doorbell[0].close();
        doorbell[1].close();
        process.doorbells.add(new Doorbell(doorbell[0]));
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
        Slot slot = new Slot(
                driverPage.memory(),
                DriverPageDescriptor.slot(maxSockets, sid),
                libPage.memory(),
                LibPageDescriptor.slot(requestDepth, sid));
        slot.open(generation);
        slot.ring(new ReceiveBufferTable(ringSize, PlayedEnd.MAX_COPIES));
        Endpoint endpoint = new Endpoint(process, sid, generation, slot);
        endpoint.state = Endpoint.State.CONNECTED;
        endpoint.opened = true;
        endpoint.publishState();
        return new PlayedEnd(endpoint, counters);
    }
}
