// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.placement.Locality;
import io.pipedevice.nio.placement.Placement;
import io.pipedevice.nio.placement.UnixRules;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.SocketImpl;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/** Opens TCP channels that use rings where they can. The program closes them. Thread safe. */
public final class ChannelFactory {
    private final ChannelHome home;

    /** For the sockets of java.net. */
    private final ChannelHome socketHome;

    /**
     * Creates a factory. Called only where the platform is supported and the JDK's packages are open.
     *
     * @param provider the provider that {@code provider()} of the channels returns
     * @param kernel the JDK's own provider
     * @param locality this host's addresses
     * @param placement creates the rings
     * @param rules send connections to Unix-domain sockets; null if there are none
     */
    public ChannelFactory(
            SelectorProvider provider,
            SelectorProvider kernel,
            Locality locality,
            Placement placement,
            UnixRules rules) {
        home = new ChannelHome(provider, kernel, locality, placement, rules, true);
        socketHome = new ChannelHome(provider, kernel, locality, placement, rules, false);
    }

    /**
     * Opens a TCP channel.
     *
     * @param family INET or INET6, or null if the caller named none
     * @return a channel that is not connected
     * @throws IOException if the kernel has no socket for it
     */
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return PdSocketChannel.open(home, family);
    }

    /**
     * Opens a TCP server channel.
     *
     * @param family INET or INET6, or null if the caller named none
     * @return a channel that is not bound
     * @throws IOException if the kernel has no socket for it
     */
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return PdServerSocketChannel.open(home, family);
    }

    /**
     * Creates the implementation of a socket of java.net. Called only where the agent has opened the JDK's package
     * sun.net.
     *
     * @param server whether it is for a ServerSocket
     * @return an implementation that is not created yet, as java.net calls it
     */
    public SocketImpl createSocketImpl(boolean server) {
        return ClassicSockets.create(socketHome, server);
    }
}
