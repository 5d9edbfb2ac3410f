// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.operation.ReturnPageDescriptor;
import io.pipedevice.active.operation.ServerLane;
import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.client.DriverLink;
import io.pipedevice.lib.PdException;

/** The two pages with the lanes of this process, which serves calls; owns them. Thread safe. */
final class ServerPages implements AutoCloseable {
    private final PagePair pages;
    private final int depth;
    private final int room;

    private ServerPages(PagePair pages, int depth, int room) {
        this.pages = pages;
        this.depth = depth;
        this.room = room;
    }

    /** Has the driver hand calls to this process. */
    static ServerPages open(DriverLink link, int lanes, int depth, int room) throws PdException {
        PagePair.Layout returns = new PagePair.Layout(
                "pd-returns",
                ReturnPageDescriptor.length(lanes, depth, room),
                ReturnPageDescriptor.MAGIC,
                ReturnPageDescriptor.VERSION_OFFSET,
                ReturnPageDescriptor.VERSION);
        PagePair.Layout calls = new PagePair.Layout(
                "page of calls",
                CallPageDescriptor.length(lanes, depth, room),
                CallPageDescriptor.MAGIC,
                CallPageDescriptor.VERSION_OFFSET,
                CallPageDescriptor.VERSION);
        PagePair pages = PagePair.exchange(
                link,
                "calls",
                FunctionMessage.SERVE,
                request -> new FunctionMessage(request).messageLength(room).queues(lanes, depth),
                returns,
                calls);
        return new ServerPages(pages, depth, room);
    }

    /** This process's end of a lane. */
    ServerLane lane(int number) {
        return new ServerLane(pages.drivers(), pages.own(), depth, room, number);
    }

    int depth() {
        return depth;
    }

    @Override
    public void close() {
        pages.close();
    }
}
