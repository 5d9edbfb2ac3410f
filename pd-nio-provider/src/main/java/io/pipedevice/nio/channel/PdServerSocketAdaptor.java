// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.transport.CallTimeout;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** A server channel as a {@link ServerSocket}. Thread safe. */
final class PdServerSocketAdaptor extends ServerSocket {
    private final PdServerSocketChannel channel;
    private volatile int timeoutMillis;

    private PdServerSocketAdaptor(PdServerSocketChannel channel) {
        super(new NoSocketImpl());
        this.channel = channel;
    }

    static ServerSocket of(PdServerSocketChannel channel) {
        return new PdServerSocketAdaptor(channel);
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        bind(local, 50);
    }

    @Override
    public void bind(SocketAddress local, int backlog) throws IOException {
        SocketAddress to = local == null ? new InetSocketAddress(0) : local;
        try {
            channel.bind(to, backlog);
        } catch (IOException | RuntimeException e) {
            throw Failures.ofCall(e);
        }
    }

    @Override
    public Socket accept() throws IOException {
        int millis = timeoutMillis;
        try {
            SocketChannel accepted = millis == 0 ? channel.accept() : channel.accept(CallTimeout.ofMillis(millis));
            if (accepted == null) {
                throw new IllegalBlockingModeException();
            }
            return accepted.socket();
        } catch (NotYetBoundException e) {
            throw Failures.ofCall(e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public ServerSocketChannel getChannel() {
        return channel;
    }

    @Override
    public InetAddress getInetAddress() {
        InetSocketAddress local = channel.boundAddress();
        return local == null ? null : local.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = channel.boundAddress();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return channel.boundAddress();
    }

    @Override
    public boolean isBound() {
        return channel.boundAddress() != null;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    private void requireOpen() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        requireOpen();
        if (millis < 0) {
            throw new IllegalArgumentException("timeout < 0");
        }
        timeoutMillis = millis;
    }

    @Override
    public int getSoTimeout() throws IOException {
        requireOpen();
        return timeoutMillis;
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        AdaptorOptions.set(channel, StandardSocketOptions.SO_REUSEADDR, on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return AdaptorOptions.get(channel, StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        if (size <= 0) {
            throw new IllegalArgumentException("size cannot be 0 or negative");
        }
        AdaptorOptions.set(channel, StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return AdaptorOptions.get(channel, StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public <T> ServerSocket setOption(SocketOption<T> name, T value) throws IOException {
        channel.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return channel.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public String toString() {
        // Does not call the superclass, which would call the SocketImpl, and that supports nothing.
        return isBound()
                ? "ServerSocket[addr=" + getInetAddress() + ",localport=" + getLocalPort() + ']'
                : "ServerSocket[unbound]";
    }
}
