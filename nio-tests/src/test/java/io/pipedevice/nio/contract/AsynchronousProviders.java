// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.nio.async.AsynchronousChannels;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;

/** The providers of asynchronous channels for those of a pairing. */
final class AsynchronousProviders {
    private static final Map<SelectorProvider, AsynchronousChannelProvider> KNOWN = new ConcurrentHashMap<>();

    private AsynchronousProviders() {}

    /** The provider whose channels take the same ways as those of another one; the JDK's own for the JDK's. */
    static AsynchronousChannelProvider of(SelectorProvider channels) {
        return Providers.JDK.equals(channels)
                ? AsynchronousChannelProvider.provider()
                : KNOWN.computeIfAbsent(channels, Over::new);
    }

    private static final class Over extends AsynchronousChannelProvider {
        private final AsynchronousChannels channels;

        Over(SelectorProvider inside) {
            channels = new AsynchronousChannels(this, inside);
        }

        @Override
        public AsynchronousChannelGroup openAsynchronousChannelGroup(int threads, ThreadFactory factory)
                throws IOException {
            return channels.openGroup(threads, factory);
        }

        @Override
        public AsynchronousChannelGroup openAsynchronousChannelGroup(ExecutorService executor, int initialSize)
                throws IOException {
            return channels.openGroup(executor);
        }

        @Override
        public AsynchronousServerSocketChannel openAsynchronousServerSocketChannel(AsynchronousChannelGroup group)
                throws IOException {
            return channels.openServerSocketChannel(group);
        }

        @Override
        public AsynchronousSocketChannel openAsynchronousSocketChannel(AsynchronousChannelGroup group)
                throws IOException {
            return channels.openSocketChannel(group);
        }
    }
}
