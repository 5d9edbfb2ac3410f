// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.channels.SocketChannel;

/** An accept. The accepted channel belongs to the server's group. */
final class AcceptOperation<A> extends Operation<AsynchronousSocketChannel, A> {
    private final ChannelGroup group;
    private final ServerSocketChannel server;

    AcceptOperation(
            ChannelGroup group,
            ServerSocketChannel server,
            CompletionHandler<AsynchronousSocketChannel, ? super A> handler,
            A attachment) {
        super(handler, attachment);
        this.group = group;
        this.server = server;
    }

    @Override
    boolean attempt() throws IOException {
        SocketChannel accepted = server.accept();
        if (accepted == null) {
            return false;
        }
        try {
            return succeed(new PdAsynchronousSocketChannel(group, accepted));
        } catch (ShutdownChannelGroupException e) {
            throw new IOException(e);
        }
    }
}
