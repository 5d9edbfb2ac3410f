// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.placement.Locality;
import io.pipedevice.nio.placement.Placement;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/** Opens TCP channels that use rings where they can. The program closes them. Thread safe. */
public final class ChannelFactory {
    private final ChannelHome home;

    /** The family of a channel that is opened without one: INET where there is no IPv6. Null until it is known. */
    private volatile ProtocolFamily widest;

    /**
     * Creates a factory. Called only where the platform is supported and the JDK's packages are open.
     *
     * @param provider the provider that {@code provider()} of the channels returns
     * @param kernel the JDK's own provider
     * @param locality this host's addresses
     * @param placement creates the rings
     */
    public ChannelFactory(SelectorProvider provider, SelectorProvider kernel, Locality locality, Placement placement) {
        home = new ChannelHome(provider, kernel, locality, placement);
    }

    /**
     * Opens a TCP channel.
     *
     * @param family INET or INET6, or null if the caller named none
     * @return a channel that is not connected
     * @throws IOException if the kernel has no socket for it
     */
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        ProtocolFamily reachable = family == null ? widest() : family;
        return new PdSocketChannel(home, OptionStore.open(home.kernel(), family), reachable);
    }

    private ProtocolFamily widest() throws IOException {
        if (widest == null) {
            widest = askForWidest();
        }
        return widest;
    }

    private ProtocolFamily askForWidest() throws IOException {
        try {
            home.kernel().openSocketChannel(StandardProtocolFamily.INET6).close();
            return StandardProtocolFamily.INET6;
        } catch (UnsupportedOperationException e) {
            // A property of the JVM has turned IPv6 off, or the kernel lacks it.
            return StandardProtocolFamily.INET;
        }
    }

    /**
     * Opens a TCP server channel.
     *
     * @param family INET or INET6, or null if the caller named none
     * @return a channel that is not bound
     * @throws IOException if the kernel has no socket for it
     */
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        SelectorProvider kernel = home.kernel();
        return new PdServerSocketChannel(
                home, family == null ? kernel.openServerSocketChannel() : kernel.openServerSocketChannel(family));
    }
}
