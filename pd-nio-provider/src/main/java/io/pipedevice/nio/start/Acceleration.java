// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.SocketImpl;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;

/**
 * Opens channels and selectors for the provider where PipeDevice works: channels that may use rings, and selectors for
 * these and for the JDK's own channels. The program closes what it opens. Thread safe.
 */
public interface Acceleration {
    /**
     * Opens a TCP channel.
     *
     * @param family INET or INET6, or null if the caller named none
     * @return a channel that is not connected
     * @throws IOException if the kernel has no socket for it
     */
    SocketChannel openSocketChannel(ProtocolFamily family) throws IOException;

    /**
     * Opens a TCP server channel.
     *
     * @param family INET or INET6, or null if the caller named none
     * @return a channel that is not bound
     * @throws IOException if the kernel has no socket for it
     */
    ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException;

    /**
     * Creates the implementation of a socket of java.net. Called only where the agent has opened the JDK's package
     * sun.net.
     *
     * @param server whether it is for a ServerSocket
     * @return an implementation that is not created yet, as java.net calls it
     */
    SocketImpl createSocketImpl(boolean server);

    /**
     * Opens a selector for these channels and the JDK's own.
     *
     * @return a selector without keys
     * @throws IOException if there is no descriptor for it
     */
    AbstractSelector openSelector() throws IOException;
}
