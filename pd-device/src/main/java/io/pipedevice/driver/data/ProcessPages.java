// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.EntryRingConsumer;
import io.pipedevice.queue.EntryRingProducer;

/**
 * The two pages through which an attached process and the driver exchange requests, events and the words of sockets.
 * {@link ProcessMemory} owns them.
 *
 * @param lib written by the process
 * @param driver written by the driver
 * @param requestDepth entries of the request ring, a power of two
 * @param maxSockets number of slots in both pages
 */
public record ProcessPages(SharedRegion lib, SharedRegion driver, int requestDepth, int maxSockets) {
    /** The requests that the process posts. */
    EntryRingConsumer requests() {
        return new EntryRingConsumer(
                lib.memory().asSlice(LibPageDescriptor.REQUESTS_OFFSET),
                requestDepth,
                driver.memory(),
                DriverPageDescriptor.REQUESTS_CONSUMED_OFFSET);
    }

    /** The events that the driver posts. */
    EntryRingProducer events() {
        return new EntryRingProducer(
                driver.memory().asSlice(DriverPageDescriptor.EVENTS_OFFSET),
                DriverPageDescriptor.eventDepth(maxSockets),
                lib.memory(),
                LibPageDescriptor.EVENTS_CONSUMED_OFFSET);
    }

    /** The words of a socket. */
    Slot slot(int sid) {
        return new Slot(
                driver.memory(),
                DriverPageDescriptor.slot(maxSockets, sid),
                lib.memory(),
                LibPageDescriptor.slot(requestDepth, sid));
    }
}
