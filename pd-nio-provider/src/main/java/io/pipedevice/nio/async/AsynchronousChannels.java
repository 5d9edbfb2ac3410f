// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.IllegalChannelGroupException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** Opens asynchronous channels and groups over the channels of another provider. Thread safe. */
public final class AsynchronousChannels {
    private final AsynchronousChannelProvider provider;
    private final SelectorProvider channels;

    /** Null before the first channel without a group. Guarded by this object's monitor. */
    private ChannelGroup defaultGroup;

    /**
     * Creates it. Opens nothing.
     *
     * @param provider the provider that {@code provider()} of channels and groups returns
     * @param channels opens the channels and selectors inside
     */
    public AsynchronousChannels(AsynchronousChannelProvider provider, SelectorProvider channels) {
        this.provider = provider;
        this.channels = channels;
    }

    /**
     * Opens a group with a fixed number of threads.
     *
     * @param threads how many, more than 0
     * @param factory makes the threads
     * @return a group, which the caller shuts down
     * @throws IOException if there is no descriptor for its selector
     */
    public AsynchronousChannelGroup openGroup(int threads, ThreadFactory factory) throws IOException {
        ExecutorService executor = Executors.newFixedThreadPool(threads, factory);
        return ChannelGroup.ofThreads(provider, executor, threads, channels.openSelector());
    }

    /**
     * Opens a group whose handlers an executor runs.
     *
     * @param executor the group shuts it down at its end
     * @return a group, which the caller shuts down
     * @throws IOException if there is no descriptor for its selector
     */
    public AsynchronousChannelGroup openGroup(ExecutorService executor) throws IOException {
        Objects.requireNonNull(executor);
        return ChannelGroup.ofExecutor(provider, executor, channels.openSelector());
    }

    /**
     * Opens a channel.
     *
     * @param group null for the default group
     * @return a channel that is not connected
     * @throws IOException if the kernel has no socket for it
     */
    public AsynchronousSocketChannel openSocketChannel(AsynchronousChannelGroup group) throws IOException {
        return new PdAsynchronousSocketChannel(own(group), channels.openSocketChannel());
    }

    /**
     * Opens a server channel.
     *
     * @param group null for the default group
     * @return a channel that is not bound
     * @throws IOException if the kernel has no socket for it
     */
    public AsynchronousServerSocketChannel openServerSocketChannel(AsynchronousChannelGroup group) throws IOException {
        return new PdAsynchronousServerSocketChannel(own(group), channels.openServerSocketChannel());
    }

    private ChannelGroup own(AsynchronousChannelGroup group) throws IOException {
        if (group == null) {
            return defaultGroup();
        }
        if (group instanceof ChannelGroup own) {
            return own;
        }
        throw new IllegalChannelGroupException();
    }

    private synchronized ChannelGroup defaultGroup() throws IOException {
        if (defaultGroup == null) {
            defaultGroup = ChannelGroup.ofExecutor(provider, DefaultThreads.executor(), channels.openSelector());
        }
        return defaultGroup;
    }
}
