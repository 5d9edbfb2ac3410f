// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.device.Device;
import io.pipedevice.driver.control.Attachments;
import io.pipedevice.driver.control.ControlRequest;
import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.control.Reply;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.LentRegion;
import java.io.IOException;

/** The registration of a region in progress. Belongs to the driver's thread. */
final class RegionPreparation extends Preparation {
    private final RegionUser user;
    private final LentRegion memory;
    private final Attachments attachments;
    private final Device device;
    private final Chores chores;
    private final long size;

    /**
     * Begins.
     *
     * @param received the request
     * @param user of the process, which is charged for the memory
     * @param memory mapped; this takes ownership
     * @param size of the region
     */
    RegionPreparation(
            ControlRequest received,
            RegionUser user,
            LentRegion memory,
            long size,
            Attachments attachments,
            Device device,
            Chores chores) {
        super(received);
        this.user = user;
        this.memory = memory;
        this.size = size;
        this.attachments = attachments;
        this.device = device;
        this.chores = chores;
    }

    @Override
    long size() {
        return memory.size();
    }

    @Override
    void fill(long offset, long length) throws IOException {
        memory.populateAllocated(offset, length);
    }

    @Override
    Reply complete() throws Refusal {
        RegisteredRegion region;
        try {
            region = new RegisteredRegion(user.process, memory, size, device, chores);
        } catch (IOException | IllegalArgumentException e) {
            abandon();
            throw Refusal.exhausted(e, Errno.ENOMEM, "the device cannot map the region");
        }
        new RegionMessage(request.message())
                .answer()
                .handle(user.handles.register(region).number());
        return Reply.answer();
    }

    @Override
    public void abandon() {
        AttachedProcess process = user.process;
        process.use.giveSendMemory(memory.size());
        attachments.dispose(memory);
    }
}
