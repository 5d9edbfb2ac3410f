// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import io.pipedevice.nio.channel.ChannelFactory;
import io.pipedevice.nio.placement.DriverPlacement;
import io.pipedevice.nio.placement.Locality;
import io.pipedevice.nio.placement.PeersPlacement;
import io.pipedevice.nio.placement.Placement;
import io.pipedevice.nio.select.PdSelector;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.SocketImpl;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/**
 * Opens PipeDevice's channels and selectors. Chooses the placement, according to the settings, when the first channel
 * is opened.
 */
final class RingAcceleration implements Acceleration {
    private final SelectorProvider provider;

    /** The JDK's own provider. */
    private final SelectorProvider kernel;

    /** Null if a placement was given. */
    private final Settings settings;

    /** Null before the first channel, unless a placement was given: a program that has only selectors needs none. */
    private volatile ChannelFactory channels;

    /**
     * Creates it. Called once, and only where the platform is supported and the JDK's packages are open.
     *
     * @param provider the provider that {@code provider()} of all channels and selectors returns
     * @param kernel the JDK's own provider
     */
    RingAcceleration(SelectorProvider provider, SelectorProvider kernel, Settings settings) {
        this.provider = provider;
        this.kernel = kernel;
        this.settings = settings;
    }

    /** For tests, which choose the placement. */
    RingAcceleration(SelectorProvider provider, SelectorProvider kernel, Placement placement) {
        this(provider, kernel, (Settings) null);
        channels = new ChannelFactory(provider, kernel, new Locality(kernel), placement, null);
    }

    private ChannelFactory channels() {
        return channels == null ? makeChannels() : channels;
    }

    private synchronized ChannelFactory makeChannels() {
        if (channels == null) {
            Locality locality = new Locality(kernel);
            Placement placement = settings.driver() == null
                    ? new PeersPlacement(settings.peerOptions(), locality)
                    : new DriverPlacement(
                            settings.driver(), settings.driverOptions(), settings.peerOptions(), locality);
            channels = new ChannelFactory(provider, kernel, locality, placement, settings.unixRules());
        }
        return channels;
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        FirstChannel.opens();
        return channels().openSocketChannel(family);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        FirstChannel.opens();
        return channels().openServerSocketChannel(family);
    }

    @Override
    public SocketImpl createSocketImpl(boolean server) {
        return channels().createSocketImpl(server);
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        NativeTransports.selectorOpens();
        return new PdSelector(provider);
    }
}
