// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.client.DriverLink;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.LazyLogger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * Threads of this process that run calls of its functions, those of {@link Place#HOST}. Thread safe. An attachment has
 * one at a time. Each thread spins for a while and then sleeps until there is a call.
 */
public final class FunctionServer implements AutoCloseable {
    private static final LazyLogger LOG = new LazyLogger(FunctionServer.class);

    /** Calls that are at a thread. */
    private static final int DEPTH = 32;

    private final DriverLink link;
    private final ServerPages pages;
    private final List<ServerThread> tasks = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private boolean closed;

    /**
     * Begins to serve.
     *
     * @param count of threads
     * @param room for a message with a state
     */
    FunctionServer(FunctionExchange exchange, DriverLink link, int count, int room) throws PdException {
        if (count < 1 || count > CallPageDescriptor.MAX_LANES) {
            throw new IllegalArgumentException("threads must be 1 to " + CallPageDescriptor.MAX_LANES + ": " + count);
        }
        this.link = link;
        this.pages = ServerPages.open(link, count, DEPTH, room);
        for (int lane = 0; lane < count; lane++) {
            ServerThread task = new ServerThread(exchange, link, pages.lane(lane), DEPTH);
            tasks.add(task);
            threads.add(
                    Thread.ofPlatform().daemon().name("pd-functions-" + lane).start(task));
        }
    }

    /**
     * Takes no more calls, waits for the end of those that are here, and ends the threads. A second call does nothing.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        tasks.forEach(ServerThread::stop);
        try {
            link.call(FunctionMessage.STOP_SERVING, request -> {}, (answer, none) -> null);
        } catch (PdException e) {
            LOG.get().log(Level.DEBUG, "the driver was not notified of the end of a server", e);
        }
        tasks.forEach(ServerThread::end);
        boolean interrupted = false;
        for (Thread thread : threads) {
            interrupted |= join(thread);
        }
        pages.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a thread; returns whether this thread was interrupted meanwhile. */
    private static boolean join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }
}
