// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;

/** The two pages of a process's queue pairs, in progress. Belongs to the driver's thread. */
final class QueuePages extends Preparation {
    final SharedRegion operations;
    final SharedRegion completions;
    private final AttachedProcess process;
    private final Attachments attachments;

    /**
     * Begins.
     *
     * @param process that is charged for both pages
     * @param operations the process's page; this takes ownership
     * @param completions the driver's page; this takes ownership
     */
    QueuePages(
            ControlSession session,
            Runnable resume,
            Attachments attachments,
            AttachedProcess process,
            SharedRegion operations,
            SharedRegion completions) {
        super(session, resume);
        this.attachments = attachments;
        this.process = process;
        this.operations = operations;
        this.completions = completions;
    }

    @Override
    long size() {
        return operations.size() + completions.size();
    }

    @Override
    void fill(long offset, long length) throws IOException {
        long own = operations.size() - offset;
        if (own > 0) {
            operations.populateAllocated(offset, Math.min(own, length));
        }
        if (length > own) {
            long begin = Math.max(0, -own);
            completions.allocate(begin, offset + length - operations.size() - begin);
        }
    }

    @Override
    void abandon() {
        process.use.giveSendMemory(operations.size());
        attachments.dispose(operations);
        process.memory.freePage(completions, completions.size());
    }
}
