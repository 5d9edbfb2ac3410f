// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.nio.async.AsynchronousChannels;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import sun.nio.ch.DefaultAsynchronousChannelProvider;

/**
 * The provider of asynchronous channels that PipeDevice accelerates. The JDK uses it when the system property
 * {@code java.nio.channels.spi.AsynchronousChannelProvider} names it, which is what the agent does.
 *
 * <p>Where PipeDevice does not work, all channels and groups are the JDK's own.
 *
 * <p>Thread safe.
 */
public final class PipeDeviceAsynchronousChannelProvider extends AsynchronousChannelProvider {
    /** Null where PipeDevice does not work. */
    private final AsynchronousChannels rings;

    /** The JDK's own provider; null where PipeDevice works. */
    private final AsynchronousChannelProvider kernel;

    /** Creates the provider, as the JDK does, once. */
    public PipeDeviceAsynchronousChannelProvider() {
        PipeDeviceSelectorProvider channels = SelectorProvider.provider() instanceof PipeDeviceSelectorProvider own
                ? own
                : new PipeDeviceSelectorProvider();
        boolean works = channels.works();
        rings = works ? new AsynchronousChannels(this, channels) : null;
        kernel = works ? null : DefaultAsynchronousChannelProvider.create();
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(int threads, ThreadFactory factory)
            throws IOException {
        return rings == null
                ? kernel.openAsynchronousChannelGroup(threads, factory)
                : rings.openGroup(threads, factory);
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(ExecutorService executor, int initialSize)
            throws IOException {
        return rings == null ? kernel.openAsynchronousChannelGroup(executor, initialSize) : rings.openGroup(executor);
    }

    @Override
    public AsynchronousServerSocketChannel openAsynchronousServerSocketChannel(AsynchronousChannelGroup group)
            throws IOException {
        return rings == null ? kernel.openAsynchronousServerSocketChannel(group) : rings.openServerSocketChannel(group);
    }

    @Override
    public AsynchronousSocketChannel openAsynchronousSocketChannel(AsynchronousChannelGroup group) throws IOException {
        return rings == null ? kernel.openAsynchronousSocketChannel(group) : rings.openSocketChannel(group);
    }
}
