// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritePendingException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** An asynchronous TCP channel over a non-blocking one, which goes through rings where it can. Thread safe. */
final class PdAsynchronousSocketChannel extends AsynchronousSocketChannel implements SlotOwner, Slots {
    private final ChannelGroup group;

    /** In non-blocking mode, and registered with the group's selector alone. Closed by {@link #close}. */
    private final SocketChannel channel;

    /** Whether {@link #close} was called. A connect that fails closes only the channel inside. */
    private final AtomicBoolean closed = new AtomicBoolean();

    private final Registration registration;
    private final Slot connecting;
    private final Slot reading;
    private final Slot writing;

    /** Takes a channel, and closes it if the group takes no channels any more. */
    PdAsynchronousSocketChannel(ChannelGroup group, SocketChannel channel) throws IOException {
        super(group.provider());
        this.group = group;
        this.channel = channel;
        registration = new Registration(channel, group.polling(), this);
        connecting =
                new Slot(this, SelectionKey.OP_CONNECT, IllegalStateException::new, ConnectionPendingException::new);
        reading = new Slot(
                this,
                SelectionKey.OP_READ,
                () -> new IllegalStateException("Reading not allowed due to timeout or cancellation"),
                ReadPendingException::new);
        writing = new Slot(
                this,
                SelectionKey.OP_WRITE,
                () -> new IllegalStateException("Writing not allowed due to timeout or cancellation"),
                WritePendingException::new);
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
        return switch (op) {
            case SelectionKey.OP_READ -> reading;
            case SelectionKey.OP_WRITE -> writing;
            default -> connecting;
        };
    }

    @Override
    public void await(int op) throws IOException {
        registration.await(op);
    }

    /** As with the JDK, a connect goes on after its cancellation, and the connection is of no use. */
    @Override
    public boolean cancelled(int op) {
        if (op == SelectionKey.OP_CONNECT) {
            reading.refuse();
            writing.refuse();
            return false;
        }
        of(op).refuse();
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
            connecting.close();
            reading.close();
            writing.close();
            group.remove(this);
        }
    }

    @Override
    public AsynchronousSocketChannel bind(SocketAddress local) throws IOException {
        channel.bind(local);
        return this;
    }

    @Override
    public <T> AsynchronousSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
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
    public AsynchronousSocketChannel shutdownInput() throws IOException {
        channel.shutdownInput();
        return this;
    }

    @Override
    public AsynchronousSocketChannel shutdownOutput() throws IOException {
        channel.shutdownOutput();
        return this;
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return channel.getLocalAddress();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        return channel.getRemoteAddress();
    }

    @Override
    public <A> void connect(SocketAddress remote, A attachment, CompletionHandler<Void, ? super A> handler) {
        connecting.begin(new ConnectOperation<>(this, channel, remote, Objects.requireNonNull(handler), attachment), 0);
    }

    @Override
    public Future<Void> connect(SocketAddress remote) {
        ConnectOperation<?> operation = new ConnectOperation<>(this, channel, remote, null, null);
        connecting.begin(operation, 0);
        return operation.future();
    }

    @Override
    public <A> void read(
            ByteBuffer target,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionHandler<Integer, ? super A> handler) {
        Objects.requireNonNull(handler);
        read(new ReadOperation<>(channel, target, handler, attachment), unit.toNanos(timeout));
    }

    @Override
    public Future<Integer> read(ByteBuffer target) {
        ReadOperation<?> operation = new ReadOperation<>(channel, target, null, null);
        read(operation, 0);
        return operation.future();
    }

    @Override
    public <A> void read(
            ByteBuffer[] targets,
            int offset,
            int length,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionHandler<Long, ? super A> handler) {
        Objects.requireNonNull(handler);
        Objects.checkFromIndexSize(offset, length, targets.length);
        read(new ScatterOperation<>(channel, targets, offset, length, handler, attachment), unit.toNanos(timeout));
    }

    private void read(Operation<?, ?> operation, long timeoutNs) {
        requireConnected();
        reading.begin(operation, timeoutNs);
    }

    @Override
    public <A> void write(
            ByteBuffer source,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionHandler<Integer, ? super A> handler) {
        Objects.requireNonNull(handler);
        write(new WriteOperation<>(channel, source, handler, attachment), unit.toNanos(timeout));
    }

    @Override
    public Future<Integer> write(ByteBuffer source) {
        WriteOperation<?> operation = new WriteOperation<>(channel, source, null, null);
        write(operation, 0);
        return operation.future();
    }

    @Override
    public <A> void write(
            ByteBuffer[] sources,
            int offset,
            int length,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionHandler<Long, ? super A> handler) {
        Objects.requireNonNull(handler);
        Objects.checkFromIndexSize(offset, length, sources.length);
        write(new GatherOperation<>(channel, sources, offset, length, handler, attachment), unit.toNanos(timeout));
    }

    private void write(Operation<?, ?> operation, long timeoutNs) {
        requireConnected();
        writing.begin(operation, timeoutNs);
    }

    /** As with the JDK, a closed channel is reported by the operation's result, an unconnected one by an exception. */
    private void requireConnected() {
        if (!channel.isConnected() && isOpen()) {
            throw new NotYetConnectedException();
        }
    }

    @Override
    public String toString() {
        return "java.nio.channels.AsynchronousSocketChannel[" + describe() + ']';
    }

    private String describe() {
        try {
            SocketAddress remote = channel.getRemoteAddress();
            String local = "local=" + channel.getLocalAddress();
            return remote == null ? "unconnected " + local : "connected " + local + " remote=" + remote;
        } catch (ClosedChannelException e) {
            return "closed";
        } catch (IOException e) {
            return e.toString();
        }
    }
}
