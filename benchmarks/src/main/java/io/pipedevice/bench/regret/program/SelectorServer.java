// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A server of one thread and a selector. */
abstract class SelectorServer implements Server {
    final Selector selector = Selector.open();
    private final ServerSocketChannel listener = ServerSocketChannel.open().bind(Loopback.any(), Loopback.BACKLOG);
    private final int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();

    SelectorServer() throws IOException {
        listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
    }

    /** Begins to serve; called once. */
    final SelectorServer start(String name) {
        Thread.ofPlatform().daemon().name(name).start(this::serveAll);
        return this;
    }

    private void serveAll() {
        try (selector;
                listener) {
            while (selector.isOpen()) {
                selector.select(this::serve);
            }
        } catch (ClosedSelectorException e) {
            // The program has closed the selector.
            return;
        } catch (IOException e) {
            Failure.report(e);
        }
    }

    private void serve(SelectionKey key) {
        try {
            if (!key.isAcceptable()) {
                ready((SocketChannel) key.channel());
                return;
            }
            for (SocketChannel channel = listener.accept(); channel != null; channel = listener.accept()) {
                accepted(channel);
            }
        } catch (IOException e) {
            Failure.report(e);
        }
    }

    /** Takes a new connection. */
    abstract void accepted(SocketChannel channel) throws IOException;

    /** Serves a connection that it has registered. */
    abstract void ready(SocketChannel channel) throws IOException;

    @Override
    public final int port() {
        return port;
    }

    @Override
    public final void close() throws IOException {
        selector.close();
    }
}
