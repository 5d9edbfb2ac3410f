// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.HashSet;
import java.util.Set;

/** The implementation of a {@link java.net.ServerSocket}, over a channel that interrupts do not close. Thread safe. */
final class ClassicServerSocketImpl extends ClassicImpl {
    private final ChannelHome home;

    /** Set once, by the thread that creates the socket. */
    private volatile PdServerSocketChannel channel;

    /** The class of the traffic of accepted sockets: the channel has no such option. Null until it is set. */
    private volatile Integer trafficClass;

    ClassicServerSocketImpl(ChannelHome home) {
        this.home = home;
    }

    @Override
    PdServerSocketChannel channel() {
        return channel;
    }

    @Override
    void open() throws IOException {
        channel = PdServerSocketChannel.open(home, null);
        closeIfUnreachable(channel);
    }

    /** Binding and listening are one step of a channel: {@link #listen}, which a ServerSocket calls next. */
    @Override
    protected void bind(InetAddress host, int port) throws IOException {
        requireOpen();
        address = host;
        localport = port;
    }

    @Override
    protected void listen(int backlog) throws IOException {
        try {
            channel.bind(new InetSocketAddress(address, localport), backlog);
            localport = channel.boundAddress().getPort();
        } catch (IOException | RuntimeException e) {
            throw Failures.ofSocket(e);
        }
    }

    @Override
    protected void accept(SocketImpl accepting) throws IOException {
        if (!(accepting instanceof ClassicSocketImpl socket)) {
            throw new SocketException(
                    "The socket was created before PipeDevice started, or after another agent removed it");
        }
        PdSocketChannel accepted = null;
        boolean done = false;
        try {
            accepted = (PdSocketChannel) channel.accept(timeoutNs());
            if (trafficClass != null) {
                accepted.setOption(StandardSocketOptions.IP_TOS, trafficClass);
            }
            socket.accepted(accepted);
            done = true;
        } catch (IOException | RuntimeException e) {
            throw Failures.ofKernelCall(e);
        } finally {
            if (accepted != null && !done) {
                accepted.close();
            }
        }
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        Set<SocketOption<?>> options = new HashSet<>(super.supportedOptions());
        options.add(StandardSocketOptions.IP_TOS);
        return options;
    }

    @Override
    protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
        if (!StandardSocketOptions.IP_TOS.equals(option)) {
            super.setOption(option, value);
            return;
        }
        requireOpen();
        if (!(value instanceof Integer given) || given < 0 || given > 255) {
            throw new IllegalArgumentException("Invalid IP_TOS value");
        }
        trafficClass = given;
    }

    @Override
    protected <T> T getOption(SocketOption<T> option) throws IOException {
        if (!StandardSocketOptions.IP_TOS.equals(option)) {
            return super.getOption(option);
        }
        requireOpen();
        return option.type().cast(trafficClass == null ? (Integer) 0 : trafficClass);
    }

    private static SocketException noStream() {
        return new SocketException("Not a connected socket");
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        throw noStream();
    }

    @Override
    protected void connect(InetAddress host, int port) throws IOException {
        throw noStream();
    }

    @Override
    protected void connect(SocketAddress remote, int timeoutMillis) throws IOException {
        throw noStream();
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        throw noStream();
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        throw noStream();
    }

    @Override
    protected int available() throws IOException {
        throw noStream();
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        throw noStream();
    }
}
