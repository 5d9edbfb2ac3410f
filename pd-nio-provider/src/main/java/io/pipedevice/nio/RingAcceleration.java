// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.nio.select.PdSelector;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/** Opens the channels and selectors of this package, and holds what they share. */
final class RingAcceleration implements Acceleration {
    private final SelectorProvider provider;

    /** The JDK's own. */
    private final SelectorProvider kernel;

    private final Locality locality;

    /** Null if a placement was given. */
    private final Settings settings;

    /** Null before the first channel, unless it was given: a program that only has selectors needs none. */
    private volatile Placement placement;

    /** Of a channel that is opened without one: INET where IPv6 is not available. Null until it is known. */
    private volatile ProtocolFamily widest;

    /**
     * Creates it; called once, and only where the platform is supported and the JDK's packages are open.
     *
     * @param provider what {@code provider()} of everything that is opened returns
     * @param kernel the JDK's own provider
     */
    RingAcceleration(SelectorProvider provider, SelectorProvider kernel, Settings settings) {
        this(provider, kernel, settings, null);
    }

    RingAcceleration(SelectorProvider provider, SelectorProvider kernel, Placement placement) {
        this(provider, kernel, null, placement);
    }

    private RingAcceleration(
            SelectorProvider provider, SelectorProvider kernel, Settings settings, Placement placement) {
        this.provider = provider;
        this.kernel = kernel;
        this.settings = settings;
        this.placement = placement;
        this.locality = new Locality(kernel);
    }

    SelectorProvider provider() {
        return provider;
    }

    SelectorProvider kernel() {
        return kernel;
    }

    Locality locality() {
        return locality;
    }

    Placement placement() {
        return placement == null ? makePlacement() : placement;
    }

    private synchronized Placement makePlacement() {
        if (placement == null) {
            placement = settings.driver() == null
                    ? new PeersPlacement(settings.peerOptions(), locality)
                    : new DriverPlacement(settings.driver(), settings.driverOptions(), locality);
        }
        return placement;
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        placement();
        ProtocolFamily reachable = family == null ? widest() : family;
        return new PdSocketChannel(this, OptionStore.open(kernel, family), reachable);
    }

    private ProtocolFamily widest() throws IOException {
        if (widest == null) {
            widest = askForWidest();
        }
        return widest;
    }

    private ProtocolFamily askForWidest() throws IOException {
        try {
            kernel.openSocketChannel(StandardProtocolFamily.INET6).close();
            return StandardProtocolFamily.INET6;
        } catch (UnsupportedOperationException e) {
            // By a property of the JVM, or by the kernel.
            return StandardProtocolFamily.INET;
        }
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        placement();
        return new PdServerSocketChannel(
                this, family == null ? kernel.openServerSocketChannel() : kernel.openServerSocketChannel(family));
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return new PdSelector(provider);
    }
}
