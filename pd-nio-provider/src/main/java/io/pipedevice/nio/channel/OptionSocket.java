// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Set;

/** A {@link Socket} whose options are those of a channel. Thread safe. */
abstract class OptionSocket extends Socket {
    private static final int MAX_LINGER = 65535;

    private final NetworkChannel channel;

    OptionSocket(NetworkChannel channel) throws SocketException {
        super(new NoSocketImpl());
        this.channel = channel;
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        AdaptorOptions.set(channel, StandardSocketOptions.TCP_NODELAY, on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return AdaptorOptions.get(channel, StandardSocketOptions.TCP_NODELAY);
    }

    @Override
    public void setSoLinger(boolean on, int seconds) throws SocketException {
        AdaptorOptions.set(channel, StandardSocketOptions.SO_LINGER, on ? Math.min(seconds, MAX_LINGER) : -1);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return AdaptorOptions.get(channel, StandardSocketOptions.SO_LINGER);
    }

    @Override
    public void setOOBInline(boolean on) throws SocketException {
        AdaptorOptions.set(channel, OptionStore.oobInline(), on);
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        return AdaptorOptions.get(channel, OptionStore.oobInline());
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        if (size <= 0) {
            throw new IllegalArgumentException("Invalid send size");
        }
        AdaptorOptions.set(channel, StandardSocketOptions.SO_SNDBUF, size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return AdaptorOptions.get(channel, StandardSocketOptions.SO_SNDBUF);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        if (size <= 0) {
            throw new IllegalArgumentException("Invalid receive size");
        }
        AdaptorOptions.set(channel, StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return AdaptorOptions.get(channel, StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        AdaptorOptions.set(channel, StandardSocketOptions.SO_KEEPALIVE, on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return AdaptorOptions.get(channel, StandardSocketOptions.SO_KEEPALIVE);
    }

    @Override
    public void setTrafficClass(int value) throws SocketException {
        AdaptorOptions.set(channel, StandardSocketOptions.IP_TOS, value);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return AdaptorOptions.get(channel, StandardSocketOptions.IP_TOS);
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
    public <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
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
}
