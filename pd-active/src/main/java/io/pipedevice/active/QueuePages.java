// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.client.DriverLink;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.operation.CompletionPageDescriptor;
import io.pipedevice.operation.OperationPageDescriptor;
import io.pipedevice.operation.OperationProducer;
import io.pipedevice.protocol.RegionMessage;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** The two pages with the rings of this process's queue pairs; owns them. Thread safe. */
final class QueuePages implements AutoCloseable {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final SharedRegion operations;
    private final SharedRegion completions;
    private final int depth;

    private QueuePages(SharedRegion operations, SharedRegion completions, int depth) {
        this.operations = operations;
        this.completions = completions;
        this.depth = depth;
    }

    /** Has the driver serve queue pairs. */
    static QueuePages open(DriverLink link, int queues, int depth) throws PdException {
        SharedRegion operations = create(queues, depth);
        try {
            SharedRegion completions = link.call(
                    RegionMessage.OPEN_QUEUES,
                    request -> new RegionMessage(request).queues(queues, depth).size(operations.size()),
                    (answer, page) -> attach(link, page, new RegionMessage(answer).size(), queues, depth),
                    operations.fd());
            operations.closeDescriptor();
            completions.closeDescriptor();
            return new QueuePages(operations, completions, depth);
        } catch (PdException | RuntimeException | Error e) {
            operations.close();
            throw e;
        }
    }

    private static SharedRegion create(int queues, int depth) throws PdException {
        try {
            SharedRegion page =
                    SharedRegion.create("pd-operations", OperationPageDescriptor.length(depth, queues), false);
            try {
                page.allocate(0, page.size());
                WORD.set(page.memory(), (long) OperationPageDescriptor.VERSION_OFFSET, OperationPageDescriptor.VERSION);
                WORD.set(page.memory(), 0L, OperationPageDescriptor.MAGIC);
                return page;
            } catch (IOException | RuntimeException | Error e) {
                page.close();
                throw e;
            }
        } catch (IOException e) {
            throw PdException.wrap("no memory for queue pairs", e);
        }
    }

    private static SharedRegion attach(DriverLink link, Fd fd, long size, int queues, int depth) throws PdException {
        if (fd == null) {
            throw link.broken("no completion page came");
        }
        if (size < CompletionPageDescriptor.length(depth, queues)) {
            fd.close();
            throw link.broken("a completion page of " + size + " bytes");
        }
        try {
            SharedRegion page = SharedRegion.attach(fd, size);
            long magic = (long) WORD.getAcquire(page.memory(), 0L);
            long version = (long) WORD.get(page.memory(), (long) CompletionPageDescriptor.VERSION_OFFSET);
            if (magic != CompletionPageDescriptor.MAGIC || version != CompletionPageDescriptor.VERSION) {
                page.close();
                throw new PdException(Errno.EPROTO, "the completion page has layout version " + version);
            }
            return page;
        } catch (IOException e) {
            throw PdException.wrap("cannot map the completion page", e);
        }
    }

    /** The process's end of a queue pair. */
    OperationProducer ring(int queue) {
        return new OperationProducer(operations.memory(), completions.memory(), depth, queue);
    }

    /** The depth of each queue pair. */
    int depth() {
        return depth;
    }

    /** The driver's count of changes of rights and of ends of regions. */
    long changes() {
        return (long) WORD.getAcquire(completions.memory(), (long) CompletionPageDescriptor.CHANGES_OFFSET);
    }

    @Override
    public void close() {
        operations.close();
        completions.close();
    }
}
