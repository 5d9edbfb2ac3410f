// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.memory.LentRegion;
import java.io.IOException;

/** The registration of a region in progress. Belongs to the driver's thread. */
final class Registration extends Preparation {
    final LentRegion memory;
    private final AttachedProcess process;
    private final Attachments attachments;

    /**
     * Begins.
     *
     * @param process that is charged for the memory
     * @param memory mapped; this takes ownership
     */
    Registration(
            ControlSession session,
            Runnable resume,
            Attachments attachments,
            AttachedProcess process,
            LentRegion memory) {
        super(session, resume);
        this.attachments = attachments;
        this.process = process;
        this.memory = memory;
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
    void abandon() {
        process.use.giveSendMemory(memory.size());
        attachments.dispose(memory);
    }
}
