// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.operation.CompletionPageDescriptor;
import io.pipedevice.active.operation.OperationPageDescriptor;
import io.pipedevice.active.operation.OperationProducer;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.client.DriverLink;
import io.pipedevice.jdk.Foreign;
import io.pipedevice.lib.PdException;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** The two pages with the rings of this process's queue pairs; owns them. Thread safe. */
final class QueuePages implements AutoCloseable {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private final PagePair pages;
    private final int depth;

    private QueuePages(PagePair pages, int depth) {
        this.pages = pages;
        this.depth = depth;
    }

    /** Has the driver serve queue pairs. */
    static QueuePages open(DriverLink link, int queues, int depth) throws PdException {
        PagePair.Layout operations = new PagePair.Layout(
                "pd-operations",
                OperationPageDescriptor.length(depth, queues),
                OperationPageDescriptor.MAGIC,
                OperationPageDescriptor.VERSION_OFFSET,
                OperationPageDescriptor.VERSION);
        PagePair.Layout completions = new PagePair.Layout(
                "completion page",
                CompletionPageDescriptor.length(depth, queues),
                CompletionPageDescriptor.MAGIC,
                CompletionPageDescriptor.VERSION_OFFSET,
                CompletionPageDescriptor.VERSION);
        PagePair pages = PagePair.exchange(
                link,
                "queue pairs",
                RegionMessage.OPEN_QUEUES,
                request -> new RegionMessage(request).queues(queues, depth),
                operations,
                completions);
        return new QueuePages(pages, depth);
    }

    /** The process's end of a queue pair. */
    OperationProducer ring(int queue) {
        return new OperationProducer(pages.own(), pages.drivers(), depth, queue);
    }

    /** The depth of each queue pair. */
    int depth() {
        return depth;
    }

    /** The driver's count of changes of rights and of ends of regions. */
    long changes() {
        return (long) WORD.getAcquire(pages.drivers(), (long) CompletionPageDescriptor.CHANGES_OFFSET);
    }

    @Override
    public void close() {
        pages.close();
    }
}
