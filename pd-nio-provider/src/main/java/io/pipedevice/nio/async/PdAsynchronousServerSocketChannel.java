// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.AcceptPendingException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** An asynchronous TCP server over a non-blocking one, which accepts from rings and from the kernel. Thread safe. */
final class PdAsynchronousServerSocketChannel extends AsynchronousServerSocketChannel implements SlotOwner, Slots {
    private final ChannelGroup group;

    /** In non-blocking mode, and registered with the group's selector alone. Closed by {@link #close}. */
    private final ServerSocketChannel channel;

    /** Whether {@link #close} was called. */
    private final AtomicBoolean closed = new AtomicBoolean();

    private final Registration registration;
    private final Slot accepting;

    /** Takes a channel, and closes it if the group takes no channels any more. */
    PdAsynchronousServerSocketChannel(ChannelGroup group, ServerSocketChannel channel) throws IOException {
        super(group.provider());
        this.group = group;
        this.channel = channel;
        registration = new Registration(channel, group.polling(), this);
        accepting = new Slot(
                this,
                SelectionKey.OP_ACCEPT,
                () -> new RuntimeException("Accept not allowed due cancellation"),
                AcceptPendingException::new);
        boolean done = false;
        try {
            channel.configureBlocking(false);
            group.add(this);
            done = true;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    @Override
    public FutureWaits waits() {
        return group.waits();
    }

    @Override
    public void complete(Operation<?, ?> operation) {
        group.complete(operation);
    }

    @Override
    public void completeLater(Operation<?, ?> operation) {
        group.completeLater(operation);
    }

    @Override
    public Slot of(int op) {
        return accepting;
    }

    @Override
    public void await(int op) throws IOException {
        registration.await(op);
    }

    @Override
    public boolean cancelled(int op) {
        accepting.refuse();
        return true;
    }

    @Override
    public boolean isOpen() {
        return !closed.get();
    }

    @Override
    public void close() throws IOException {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            channel.close();
        } finally {
            registration.closed();
            accepting.close();
            group.remove(this);
        }
    }

    @Override
    public AsynchronousServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
        channel.bind(local, backlog);
        return this;
    }

    @Override
    public <T> AsynchronousServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        AsyncOptions.require(name, supportedOptions());
        channel.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        AsyncOptions.require(name, supportedOptions());
        return channel.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return AsyncOptions.of(channel);
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return channel.getLocalAddress();
    }

    @Override
    public <A> void accept(A attachment, CompletionHandler<AsynchronousSocketChannel, ? super A> handler) {
        accepting.begin(new AcceptOperation<>(group, channel, Objects.requireNonNull(handler), attachment), 0);
    }

    @Override
    public Future<AsynchronousSocketChannel> accept() {
        AcceptOperation<?> operation = new AcceptOperation<>(group, channel, null, null);
        accepting.begin(operation, 0);
        return operation.future();
    }

    @Override
    public String toString() {
        return "java.nio.channels.AsynchronousServerSocketChannel[" + channel + ']';
    }
}
