// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Accepts by blocking calls, and serves each connection on a thread of its own until the client ends it. */
final class ChannelServer implements Server {
    /** What is done with a connection, until its end. */
    interface Handler {
        void handle(SocketChannel channel) throws IOException;
    }

    private final ServerSocketChannel listener = ServerSocketChannel.open().bind(Loopback.any(), Loopback.BACKLOG);
    private final Handler handler;

    ChannelServer(Handler handler) throws IOException {
        this.handler = handler;
        Thread.ofPlatform().daemon().name("accept").start(this::acceptAll);
    }

    private void acceptAll() {
        try {
            while (true) {
                SocketChannel channel = listener.accept();
                Thread.ofPlatform().daemon().start(() -> serve(channel));
            }
        } catch (ClosedChannelException e) {
            // The program has closed the listener.
            return;
        } catch (IOException e) {
            Failure.report(e);
        }
    }

    private void serve(SocketChannel channel) {
        try (channel) {
            handler.handle(ChannelIo.noDelay(channel));
        } catch (IOException e) {
            Failure.report(e);
        }
    }

    @Override
    public int port() {
        return ((InetSocketAddress) listener.socket().getLocalSocketAddress()).getPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
