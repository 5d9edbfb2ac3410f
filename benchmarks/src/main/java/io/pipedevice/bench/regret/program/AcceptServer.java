// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Accepts all connections by one thread and a selector, and closes each at once. */
final class AcceptServer implements Server {
    private final ServerSocketChannel listener = ServerSocketChannel.open().bind(Loopback.any(), Loopback.BACKLOG);
    private final Selector selector = Selector.open();
    private final int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();

    AcceptServer() throws IOException {
        listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        Thread.ofPlatform().daemon().name("accept").start(this::acceptAll);
    }

    private void acceptAll() {
        try (selector;
                listener) {
            while (selector.isOpen()) {
                selector.select(this::accept);
            }
        } catch (ClosedSelectorException e) {
            // The program has closed the selector.
            return;
        } catch (IOException e) {
            Failure.report(e);
        }
    }

    private void accept(SelectionKey key) {
        try {
            SocketChannel channel = listener.accept();
            while (channel != null) {
                channel.close();
                channel = listener.accept();
            }
        } catch (IOException e) {
            Failure.report(e);
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void close() throws IOException {
        selector.close();
    }
}
