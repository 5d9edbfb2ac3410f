// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.control.Attachments;
import io.pipedevice.driver.control.ControlRequest;
import io.pipedevice.driver.control.Reply;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.util.function.BiConsumer;

/** The two pages of a process's queue pairs, in progress. Belongs to the driver's thread. */
final class QueuePagesPreparation extends Preparation {
    private final Attachments attachments;
    private final SharedRegion own;
    private final SharedRegion drivers;
    private final BiConsumer<SharedRegion, SharedRegion> user;

    /**
     * Begins.
     *
     * @param request of the process, which is charged for both pages
     * @param own the process's page; this takes ownership
     * @param drivers the driver's page; this takes ownership
     * @param user takes over both pages, the process's first
     */
    QueuePagesPreparation(
            ControlRequest request,
            Attachments attachments,
            SharedRegion own,
            SharedRegion drivers,
            BiConsumer<SharedRegion, SharedRegion> user) {
        super(request);
        this.attachments = attachments;
        this.own = own;
        this.drivers = drivers;
        this.user = user;
    }

    @Override
    long size() {
        return own.size() + drivers.size();
    }

    @Override
    void fill(long offset, long length) throws IOException {
        long left = own.size() - offset;
        if (left > 0) {
            own.populateAllocated(offset, Math.min(left, length));
        }
        if (length > left) {
            long begin = Math.max(0, -left);
            drivers.allocate(begin, offset + length - own.size() - begin);
        }
    }

    @Override
    Reply complete() {
        request.process().memory.mapped(own.size());
        user.accept(own, drivers);
        new RegionMessage(request.message()).answer().size(drivers.size());
        return Reply.answer(drivers.fd());
    }

    @Override
    public void abandon() {
        AttachedProcess process = request.process();
        process.use.giveSendMemory(own.size());
        attachments.dispose(own);
        process.memory.freePage(drivers, drivers.size());
    }
}
