// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.NetworkChannel;
import java.util.function.Consumer;

/** Accepts connections by an asynchronous channel of the default group. */
final class AsyncServer implements Server, CompletionHandler<AsynchronousSocketChannel, Void> {
    private final AsynchronousServerSocketChannel listener;
    private final Consumer<AsynchronousSocketChannel> service;

    AsyncServer(Consumer<AsynchronousSocketChannel> service) throws IOException {
        this.service = service;
        listener = AsynchronousServerSocketChannel.open().bind(Loopback.any(), Loopback.BACKLOG);
        listener.accept(null, this);
    }

    static <C extends NetworkChannel> C noDelay(C channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return channel;
    }

    @Override
    public void completed(AsynchronousSocketChannel channel, Void none) {
        listener.accept(null, this);
        try {
            service.accept(noDelay(channel));
        } catch (IOException e) {
            Failure.report(e);
        }
    }

    @Override
    public void failed(Throwable cause, Void none) {
        if (listener.isOpen()) {
            Failure.report(cause);
        }
    }

    @Override
    public int port() {
        try {
            return ((InetSocketAddress) listener.getLocalAddress()).getPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
