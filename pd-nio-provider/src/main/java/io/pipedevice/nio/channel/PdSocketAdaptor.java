// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.transport.CallTimeout;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;

/** A channel as a {@link Socket}. Thread safe. */
final class PdSocketAdaptor extends OptionSocket implements StreamSocket {
    private final PdSocketChannel channel;
    private final SocketState state;
    private volatile int timeoutMillis;

    private PdSocketAdaptor(PdSocketChannel channel, SocketState state) throws SocketException {
        super(channel);
        this.channel = channel;
        this.state = state;
    }

    static Socket of(PdSocketChannel channel, SocketState state) {
        try {
            return new PdSocketAdaptor(channel, state);
        } catch (SocketException e) {
            throw new AssertionError("the constructor of Socket failed for a given SocketImpl", e);
        }
    }

    @Override
    public ChannelReader reader() {
        return channel.reader();
    }

    @Override
    public ChannelWriter writer() {
        return channel.writer();
    }

    @Override
    public long timeoutNs() {
        return CallTimeout.ofMillis(timeoutMillis);
    }

    @Override
    public IOException failure(Exception e) {
        return Failures.ofCall(e);
    }

    @Override
    public void connect(SocketAddress remote) throws IOException {
        connect(remote, 0);
    }

    @Override
    public void connect(SocketAddress remote, int timeout) throws IOException {
        if (remote == null) {
            throw new IllegalArgumentException("connect: The address can't be null");
        }
        if (remote instanceof InetSocketAddress to && to.isUnresolved()) {
            refuseUnresolved(to);
        }
        if (timeout < 0) {
            throw new IllegalArgumentException("connect: timeout can't be negative");
        }
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        try {
            channel.connect(remote, timeout);
        } catch (IOException | RuntimeException e) {
            throw Failures.ofCall(ConnectMessage.ofWaitingConnect(e));
        }
    }

    private void refuseUnresolved(InetSocketAddress remote) throws IOException {
        requireOpen();
        if (channel.isConnected()) {
            throw new SocketException("Already connected");
        }
        channel.close();
        throw new UnknownHostException(remote.toString());
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        try {
            channel.bind(local == null ? new InetSocketAddress(0) : local);
        } catch (IOException | RuntimeException e) {
            throw Failures.ofCall(e);
        }
    }

    /** The peer's address, also of a pending connection. */
    private InetSocketAddress remote() {
        return state.remote();
    }

    @Override
    public InetAddress getInetAddress() {
        InetSocketAddress remote = remote();
        return remote == null ? null : remote.getAddress();
    }

    @Override
    public int getPort() {
        InetSocketAddress remote = remote();
        return remote == null ? 0 : remote.getPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return remote();
    }

    @Override
    public InetAddress getLocalAddress() {
        InetSocketAddress local = channel.isOpen() ? state.local() : null;
        return local == null ? new InetSocketAddress(0).getAddress() : local.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = state.local();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return state.local();
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    private void requireConnected() throws SocketException {
        requireOpen();
        if (!channel.isConnected()) {
            throw new SocketException("Socket is not connected");
        }
    }

    private void requireOpen() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        requireConnected();
        if (state.isInputShut()) {
            throw new SocketException("Socket input is shutdown");
        }
        return new SocketInput(this);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        requireConnected();
        if (state.isOutputShut()) {
            throw new SocketException("Socket output is shutdown");
        }
        return new SocketOutput(this);
    }

    @Override
    public void shutdownInput() throws IOException {
        try {
            channel.shutdownInput();
        } catch (RuntimeException e) {
            throw Failures.ofCall(e);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        try {
            channel.shutdownOutput();
        } catch (RuntimeException e) {
            throw Failures.ofCall(e);
        }
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        channel.writer().sendUrgentData(data);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public boolean isConnected() {
        return channel.isConnected();
    }

    @Override
    public boolean isBound() {
        return state.local() != null;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isInputShutdown() {
        return state.isInputShut();
    }

    @Override
    public boolean isOutputShutdown() {
        return state.isOutputShut();
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
    public int getSoTimeout() throws SocketException {
        requireOpen();
        return timeoutMillis;
    }

    @Override
    public String toString() {
        // Does not call the superclass, which would call the SocketImpl, and that supports nothing.
        return isConnected()
                ? "Socket[addr=" + getInetAddress() + ",port=" + getPort() + ",localport=" + getLocalPort() + ']'
                : "Socket[unconnected]";
    }
}
