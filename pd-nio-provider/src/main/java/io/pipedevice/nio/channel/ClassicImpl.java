// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.transport.CallTimeout;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Set;
import sun.net.PlatformSocketImpl;

/**
 * The common part of the implementations of {@link java.net.Socket} and {@link java.net.ServerSocket}: a channel, its
 * options and its close. A channel that is not reachable any more is closed. Thread safe.
 */
abstract class ClassicImpl extends SocketImpl implements PlatformSocketImpl {
    private static final Cleaner CLEANER = Cleaner.create();

    private volatile int timeoutMillis;

    /** Null until the socket is created. */
    private volatile Cleaner.Cleanable closer;

    /** The channel; null until the socket is created. */
    abstract NetworkChannel channel();

    /** Opens the channel; the caller then calls {@link #closeIfUnreachable}. */
    abstract void open() throws IOException;

    @Override
    protected void create(boolean stream) throws IOException {
        if (!stream) {
            throw new SocketException(
                    "java.net.Socket with datagrams is not supported with PipeDevice: use DatagramSocket");
        }
        open();
    }

    /** Has the channel closed when this object is not reachable. */
    void closeIfUnreachable(NetworkChannel channel) {
        closer = CLEANER.register(this, () -> closeQuietly(channel));
    }

    /** Closes a channel that no thread can use. Does not linger: the cleaner's thread has other channels to close. */
    private static void closeQuietly(NetworkChannel channel) {
        SocketOption<Integer> linger = StandardSocketOptions.SO_LINGER;
        try (channel) {
            if (channel.isOpen() && channel.supportedOptions().contains(linger) && channel.getOption(linger) > 0) {
                channel.setOption(linger, -1);
            }
        } catch (IOException e) {
            // There is no caller to report it to.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        NetworkChannel channel = channel();
        if (channel != null) {
            channel.close();
            // Forgets the channel.
            closer.clean();
        }
    }

    /** The longest wait of a read or accept; for ever if there is no limit. */
    public long timeoutNs() {
        return CallTimeout.ofMillis(timeoutMillis);
    }

    void requireOpen() throws SocketException {
        NetworkChannel channel = channel();
        if (channel == null || !channel.isOpen()) {
            throw new SocketException("Socket closed");
        }
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return ClassicOptions.supported(channel());
    }

    @Override
    protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
        ClassicOptions.requireSupported(channel(), option);
        if (!option.type().isInstance(value)) {
            throw new IllegalArgumentException("Invalid value '" + value + "'");
        }
        requireOpen();
        AdaptorOptions.set(channel(), option, value);
    }

    @Override
    protected <T> T getOption(SocketOption<T> option) throws IOException {
        ClassicOptions.requireSupported(channel(), option);
        requireOpen();
        return AdaptorOptions.get(channel(), option);
    }

    @Override
    public void setOption(int number, Object value) throws SocketException {
        requireOpen();
        if (number == SO_TIMEOUT) {
            timeoutMillis = ClassicOptions.intValue(value, "SO_TIMEOUT");
        } else {
            ClassicOptions.set(channel(), number, value);
        }
    }

    @Override
    public Object getOption(int number) throws SocketException {
        requireOpen();
        return number == SO_TIMEOUT ? (Integer) timeoutMillis : ClassicOptions.get(channel(), number);
    }

    @Override
    protected boolean supportsUrgentData() {
        return true;
    }
}
