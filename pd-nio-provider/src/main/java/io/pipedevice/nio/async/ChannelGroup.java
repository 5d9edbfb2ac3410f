// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.nio.channels.AsynchronousChannel;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.Selector;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A group of asynchronous channels, which share a selector and the threads of an executor. The group ends when it is
 * shut down and has no channel any more: its threads leave, and its executor is shut down.
 *
 * <p>Thread safe.
 */
final class ChannelGroup extends AsynchronousChannelGroup {
    private final ExecutorService executor;
    private final Polling polling;
    private final FutureWaits waits;

    /** This and the field below are guarded by this object's monitor. */
    private final Set<AsynchronousChannel> channels = new HashSet<>();

    private boolean shutdown;

    private ChannelGroup(AsynchronousChannelProvider provider, ExecutorService executor, Selector selector) {
        super(provider);
        this.executor = executor;
        polling = new Polling(selector);
        waits = new FuturePolling(polling);
    }

    /**
     * Creates a group whose threads poll.
     *
     * @param executor has that many threads, and is the group's alone
     * @param selector the group closes it
     */
    static ChannelGroup ofThreads(
            AsynchronousChannelProvider provider, ExecutorService executor, int threads, Selector selector) {
        ChannelGroup group = new ChannelGroup(provider, executor, selector);
        FixedThreads.start(group.polling, executor, threads);
        return group;
    }

    /**
     * Creates a group that has one thread of its own, and runs its handlers by an executor.
     *
     * @param executor the group shuts it down at its end
     * @param selector the group closes it
     */
    static ChannelGroup ofExecutor(AsynchronousChannelProvider provider, ExecutorService executor, Selector selector) {
        ChannelGroup group = new ChannelGroup(provider, executor, selector);
        ExecutorThreads.start(group.polling, executor);
        return group;
    }

    Polling polling() {
        return polling;
    }

    FutureWaits waits() {
        return waits;
    }

    /**
     * Takes a channel into the group.
     *
     * @throws ShutdownChannelGroupException after {@link #shutdown}
     */
    synchronized void add(AsynchronousChannel channel) {
        if (shutdown) {
            throw new ShutdownChannelGroupException();
        }
        channels.add(channel);
    }

    /** Drops a channel that was closed, and whose operations have ended. */
    void remove(AsynchronousChannel channel) {
        boolean last;
        synchronized (this) {
            last = channels.remove(channel) && shutdown && channels.isEmpty();
        }
        if (last) {
            polling.finish();
        }
    }

    /**
     * Gives the result of an operation to its future, or its handler, which this thread may call.
     *
     * @throws ShutdownChannelGroupException if there is no thread any more that could call the handler
     */
    void complete(Operation<?, ?> operation) {
        if (operation.future() != null || !Invocation.call(polling, operation)) {
            completeLater(operation);
        }
    }

    /**
     * The same for a caller within which no handler may run, such as a close.
     *
     * @throws ShutdownChannelGroupException if there is no thread any more that could call the handler
     */
    void completeLater(Operation<?, ?> operation) {
        if (operation.future() != null) {
            operation.settle();
            waits.completed(operation.future());
        } else if (polling.isOver()) {
            throw new ShutdownChannelGroupException();
        } else {
            polling.add(operation);
        }
    }

    @Override
    public synchronized boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return executor.isTerminated();
    }

    @Override
    public void shutdown() {
        boolean last;
        synchronized (this) {
            last = !shutdown && channels.isEmpty();
            shutdown = true;
        }
        if (last) {
            polling.finish();
        }
    }

    @Override
    public void shutdownNow() throws IOException {
        shutdown();
        List<AsynchronousChannel> open;
        synchronized (this) {
            open = List.copyOf(channels);
        }
        IOException failure = null;
        for (AsynchronousChannel each : open) {
            try {
                each.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return executor.awaitTermination(timeout, unit);
    }
}
