// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Echoes on any number of connections by one thread and a selector. */
final class SelectorEcho implements Server {
    private final ServerSocketChannel listener = ServerSocketChannel.open().bind(Loopback.any(), Loopback.BACKLOG);
    private final Selector selector = Selector.open();
    private final int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
    private final ByteBuffer message = ByteBuffer.allocateDirect(ChannelEcho.SIZE);

    SelectorEcho() throws IOException {
        listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        Thread.ofPlatform().daemon().name("selector").start(this::serveAll);
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
            if (key.isAcceptable()) {
                accept();
            } else {
                echo((SocketChannel) key.channel());
            }
        } catch (IOException e) {
            Failure.report(e);
        }
    }

    private void accept() throws IOException {
        for (SocketChannel channel = listener.accept(); channel != null; channel = listener.accept()) {
            ChannelIo.noDelay(channel).configureBlocking(false).register(selector, SelectionKey.OP_READ);
        }
    }

    /** A message is small, and its sender waits for it, so that there is always room for it. */
    private void echo(SocketChannel channel) throws IOException {
        if (channel.read(message.clear()) < 0) {
            channel.close();
            return;
        }
        ChannelIo.write(channel, message.flip());
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
