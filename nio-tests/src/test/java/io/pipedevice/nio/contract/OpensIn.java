// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.linux.NamespaceThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/** Opens TCP channels of another provider on a thread that is in a network namespace of its own. */
final class OpensIn extends SelectorProvider {
    private final NamespaceThread thread;
    private final SelectorProvider channels;

    OpensIn(NamespaceThread thread, SelectorProvider channels) {
        this.thread = thread;
        this.channels = channels;
    }

    /**
     * The first listener announces the namespace to the driver, with a socket of the thread that binds it. So it is
     * bound there, and stays open.
     */
    static SelectorProvider announced(NamespaceThread thread, SelectorProvider channels) {
        InetSocketAddress anyPort = new InetSocketAddress(TwoNamespaces.SERVER, 0);
        try {
            thread.call(() -> channels.openServerSocketChannel().bind(anyPort));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new OpensIn(thread, channels);
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return channels.openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return channels.openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return channels.openPipe();
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return channels.openSelector();
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return thread.call(channels::openServerSocketChannel);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return thread.call(() -> channels.openServerSocketChannel(family));
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return thread.call(channels::openSocketChannel);
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return thread.call(() -> channels.openSocketChannel(family));
    }
}
