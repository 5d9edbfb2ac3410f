// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.nio.channel.AddressChecks;
import io.pipedevice.nio.start.Acceleration;
import io.pipedevice.nio.start.StartUp;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.SocketImpl;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.function.IntFunction;

/**
 * The provider of java.nio channels that PipeDevice accelerates. The JDK uses it when the system property
 * {@code java.nio.channels.spi.SelectorProvider} names it, which is what the agent does.
 *
 * <p>TCP channels and selectors are PipeDevice's own; a connection whose two ends are on this host and both run
 * PipeDevice goes through rings in shared memory, every other one through the kernel. Datagram channels, pipes,
 * Unix-domain channels and inherited channels are the JDK's own, and register with the same selectors. Where PipeDevice
 * does not work, all channels and selectors are the JDK's own.
 *
 * <p>With the agent, the JDK also asks the provider, as a function, for the implementations of java.net's sockets.
 *
 * <p>Thread safe.
 */
public final class PipeDeviceSelectorProvider extends SelectorProvider implements IntFunction<SocketImpl> {
    private final StartUp startUp;

    /** Creates the provider, as the JDK does, once. Never fails: where PipeDevice does not work it logs the reason. */
    public PipeDeviceSelectorProvider() {
        startUp = new StartUp(this);
    }

    /** Whether PipeDevice works here; if not, all channels and selectors are the JDK's own. */
    boolean works() {
        return startUp.acceleration() != null;
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        Acceleration rings = startUp.acceleration();
        return rings == null ? startUp.kernel().openSocketChannel() : rings.openSocketChannel(null);
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        Acceleration rings = startUp.acceleration();
        return rings == null || !AddressChecks.isInternet(family)
                ? startUp.neighbours().openSocketChannel(family)
                : rings.openSocketChannel(family);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        Acceleration rings = startUp.acceleration();
        return rings == null ? startUp.kernel().openServerSocketChannel() : rings.openServerSocketChannel(null);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        Acceleration rings = startUp.acceleration();
        return rings == null || !AddressChecks.isInternet(family)
                ? startUp.neighbours().openServerSocketChannel(family)
                : rings.openServerSocketChannel(family);
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        Acceleration rings = startUp.acceleration();
        return rings == null ? startUp.kernel().openSelector() : rings.openSelector();
    }

    /**
     * Creates the implementation of a socket of java.net, for the JDK; programs use {@link java.net.Socket} and
     * {@link java.net.ServerSocket}. Called only where the agent has opened the JDK's package sun.net.
     *
     * @param server not 0 for a ServerSocket
     * @return the JDK's own implementation where PipeDevice does not work
     */
    @Override
    public SocketImpl apply(int server) {
        return startUp.createSocketImpl(server != 0);
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return startUp.neighbours().openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return startUp.neighbours().openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return startUp.neighbours().openPipe();
    }

    @Override
    public Channel inheritedChannel() throws IOException {
        return startUp.kernel().inheritedChannel();
    }
}
