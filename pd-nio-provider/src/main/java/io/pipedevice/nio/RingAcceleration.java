// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/** Opens the channels and selectors of this package. */
final class RingAcceleration implements Acceleration {
    /** The JDK's own. */
    private final SelectorProvider kernel;

    /**
     * Creates it; called once, and only where the platform is supported and the JDK's packages are open.
     *
     * @param provider what {@code provider()} of everything that is opened returns
     * @param kernel the JDK's own provider
     */
    @SuppressWarnings("unused") // the channels of this package will need the provider
    RingAcceleration(SelectorProvider provider, SelectorProvider kernel) {
        this.kernel = kernel;
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return family == null ? kernel.openSocketChannel() : kernel.openSocketChannel(family);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return family == null ? kernel.openServerSocketChannel() : kernel.openServerSocketChannel(family);
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return kernel.openSelector();
    }
}
