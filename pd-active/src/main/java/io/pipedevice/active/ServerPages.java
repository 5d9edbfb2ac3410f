// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.client.DriverLink;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.operation.CallPageDescriptor;
import io.pipedevice.operation.ReturnPageDescriptor;
import io.pipedevice.operation.ServerLane;
import io.pipedevice.protocol.FunctionMessage;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** The two pages with the lanes of this process, which serves calls; owns them. Thread safe. */
final class ServerPages implements AutoCloseable {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final SharedRegion calls;
    private final SharedRegion returns;
    private final int depth;
    private final int room;

    private ServerPages(SharedRegion calls, SharedRegion returns, int depth, int room) {
        this.calls = calls;
        this.returns = returns;
        this.depth = depth;
        this.room = room;
    }

    /** Has the driver hand calls to this process. */
    static ServerPages open(DriverLink link, int lanes, int depth, int room) throws PdException {
        SharedRegion returns = create(ReturnPageDescriptor.length(lanes, depth, room));
        try {
            SharedRegion calls = link.call(
                    FunctionMessage.SERVE,
                    request -> new FunctionMessage(request)
                            .messageLength(room)
                            .queues(lanes, depth)
                            .size(returns.size()),
                    (answer, page) -> attach(
                            link,
                            page,
                            new FunctionMessage(answer).size(),
                            CallPageDescriptor.length(lanes, depth, room)),
                    returns.fd());
            returns.closeDescriptor();
            calls.closeDescriptor();
            return new ServerPages(calls, returns, depth, room);
        } catch (PdException | RuntimeException | Error e) {
            returns.close();
            throw e;
        }
    }

    private static SharedRegion create(long length) throws PdException {
        try {
            SharedRegion page = SharedRegion.create("pd-returns", Memory.wholePages(length), false);
            try {
                page.allocate(0, page.size());
                WORD.set(page.memory(), (long) ReturnPageDescriptor.VERSION_OFFSET, ReturnPageDescriptor.VERSION);
                WORD.set(page.memory(), 0L, ReturnPageDescriptor.MAGIC);
                return page;
            } catch (IOException | RuntimeException | Error e) {
                page.close();
                throw e;
            }
        } catch (IOException e) {
            throw PdException.wrap("no memory for calls", e);
        }
    }

    private static SharedRegion attach(DriverLink link, Fd fd, long size, long least) throws PdException {
        if (fd == null) {
            throw link.broken("no page of calls came");
        }
        if (size < least) {
            fd.close();
            throw link.broken("a page of calls of " + size + " bytes");
        }
        try {
            SharedRegion page = SharedRegion.attach(fd, size);
            long magic = (long) WORD.getAcquire(page.memory(), 0L);
            long version = (long) WORD.get(page.memory(), (long) CallPageDescriptor.VERSION_OFFSET);
            if (magic != CallPageDescriptor.MAGIC || version != CallPageDescriptor.VERSION) {
                page.close();
                throw new PdException(Errno.EPROTO, "the page of calls has layout version " + version);
            }
            return page;
        } catch (IOException e) {
            throw PdException.wrap("cannot map the page of calls", e);
        }
    }

    /** This process's end of a lane. */
    ServerLane lane(int number) {
        return new ServerLane(calls.memory(), returns.memory(), depth, room, number);
    }

    int depth() {
        return depth;
    }

    @Override
    public void close() {
        calls.close();
        returns.close();
    }
}
