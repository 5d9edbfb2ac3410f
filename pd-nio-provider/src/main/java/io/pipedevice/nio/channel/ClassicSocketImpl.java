// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.jdk.Jdk;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;

/** The implementation of a {@link java.net.Socket}, over a channel that interrupts do not close. Thread safe. */
final class ClassicSocketImpl extends ClassicImpl implements StreamSocket {
    private final ChannelHome home;

    /** Set once, by the thread that creates the socket, or that accepts it. */
    private volatile PdSocketChannel channel;

    ClassicSocketImpl(ChannelHome home) {
        this.home = home;
    }

    @Override
    PdSocketChannel channel() {
        return channel;
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
    void open() throws IOException {
        use(PdSocketChannel.open(home, null));
    }

    private void use(PdSocketChannel opened) {
        channel = opened;
        closeIfUnreachable(opened);
    }

    /** Becomes the socket of an accepted connection. */
    void accepted(PdSocketChannel connected) throws IOException {
        use(connected);
        InetSocketAddress remote = (InetSocketAddress) connected.getRemoteAddress();
        address = remote.getAddress();
        port = remote.getPort();
        localport = ((InetSocketAddress) connected.getLocalAddress()).getPort();
    }

    @Override
    protected void connect(String host, int to) throws IOException {
        connect(new InetSocketAddress(host, to), 0);
    }

    @Override
    protected void connect(InetAddress host, int to) throws IOException {
        connect(new InetSocketAddress(host, to), 0);
    }

    @Override
    protected void connect(SocketAddress remote, int timeoutMillis) throws IOException {
        if (!(remote instanceof InetSocketAddress to)) {
            throw new IllegalArgumentException("Unsupported address type");
        }
        if (to.isUnresolved()) {
            throw new UnknownHostException(to.getHostName());
        }
        requireOpen();
        if (Thread.currentThread().isVirtual() && Thread.currentThread().isInterrupted()) {
            channel.close();
            throw closedByInterrupt();
        }
        try {
            address = to.getAddress().isAnyLocalAddress() ? InetAddress.getLocalHost() : to.getAddress();
            port = to.getPort();
            channel.connect(new InetSocketAddress(address, port), timeoutMillis);
            localport = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        } catch (ClosedByInterruptException e) {
            throw (IOException) closedByInterrupt().initCause(e);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw Failures.ofSocket(timeoutMillis > 0 ? ConnectMessage.ofWaitingConnect(e) : e);
        }
    }

    private static IOException closedByInterrupt() {
        String message = "Closed by interrupt";
        return Jdk.SOCKETS_CLOSE_AT_INTERRUPTS ? new InterruptedIOException(message) : new SocketException(message);
    }

    @Override
    protected void bind(InetAddress host, int to) throws IOException {
        requireOpen();
        try {
            channel.bind(new InetSocketAddress(host, to));
            address = host;
            localport = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        } catch (IOException | RuntimeException e) {
            throw Failures.ofSocket(e);
        }
    }

    @Override
    protected void listen(int backlog) throws IOException {
        throw new SocketException("Not a server socket");
    }

    @Override
    protected void accept(SocketImpl accepting) throws IOException {
        throw new SocketException("Not a server socket");
    }

    @Override
    protected InputStream getInputStream() {
        return new SocketInput(this);
    }

    @Override
    protected OutputStream getOutputStream() {
        return new SocketOutput(this);
    }

    @Override
    public IOException failure(Exception e) {
        return Failures.ofSocket(e);
    }

    @Override
    protected int available() throws IOException {
        return getInputStream().available();
    }

    @Override
    protected void shutdownInput() throws IOException {
        try {
            channel.shutdownInput();
        } catch (IOException | RuntimeException e) {
            throw Failures.ofSocket(e);
        }
    }

    @Override
    protected void shutdownOutput() throws IOException {
        try {
            channel.shutdownOutput();
        } catch (IOException | RuntimeException e) {
            throw Failures.ofSocket(e);
        }
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        try {
            channel.writer().sendUrgentData(data);
        } catch (IOException | RuntimeException e) {
            throw Failures.ofKernelCall(e);
        }
    }
}
