// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import io.pipedevice.nio.channel.AddressChecks;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import sun.nio.ch.EPollSelectorProvider;

/**
 * Opens the JDK's own channels that are not TCP, beside accelerated ones. The channels and selectors that a program
 * opens through such a channel's {@code provider()} are PipeDevice's, because the JDK's own selectors take no channel
 * of PipeDevice. Thread safe.
 */
final class NeighbourProvider extends EPollSelectorProvider {
    private final SelectorProvider own;

    private NeighbourProvider(SelectorProvider own) {
        this.own = own;
    }

    /**
     * Creates one. The caller need not load this class, which can be loaded only when the JDK's package is open.
     *
     * @param own PipeDevice's provider
     */
    static SelectorProvider of(SelectorProvider own) {
        return new NeighbourProvider(own);
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return own.openSelector();
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return own.openSocketChannel();
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return AddressChecks.isInternet(family) ? own.openSocketChannel(family) : super.openSocketChannel(family);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return own.openServerSocketChannel();
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return AddressChecks.isInternet(family)
                ? own.openServerSocketChannel(family)
                : super.openServerSocketChannel(family);
    }

    @Override
    public Channel inheritedChannel() throws IOException {
        return own.inheritedChannel();
    }
}
