// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.placement.RingSizes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProtocolFamily;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import sun.nio.ch.DefaultSelectorProvider;

/**
 * The options of a socket channel. A kernel channel keeps them: the one that is the transport, or that holds the port.
 * An accepted connection on rings has no kernel channel until an option that is not one of the usual ones is first set
 * or read. Thread safe.
 */
final class OptionStore implements RingSizes {
    /** Switches, initially off, that have no effect on rings: the program only reads them back. */
    private static final Set<SocketOption<?>> SWITCHES =
            Set.of(StandardSocketOptions.TCP_NODELAY, StandardSocketOptions.SO_KEEPALIVE);

    private static final int LONGEST_LINGER = 65_535;

    /** The options of the JDK's channels; null until they are known. */
    private static volatile Set<SocketOption<?>> supported;

    private final SelectorProvider provider;

    /** Null while there is none; guarded by this object's monitor. */
    private SocketChannel kernel;

    private boolean closed;

    /** Moves the bytes in the place of the kernel channel; null if there is none. Guarded by this object's monitor. */
    private SocketChannel carrier;

    /** Whether the kernel's connection carries no data, because they go through rings. */
    private volatile boolean carriesNothing;

    /** The size that the program asked for, 0 for none; guarded by this object's monitor. */
    private int sendSize;

    private int receiveSize;
    private int linger = -1;
    private boolean takesUrgent;

    /** Options to set in a kernel channel that is opened for options alone. */
    private final Map<SocketOption<?>, Object> inherited;

    /** Options that were set while there was no kernel channel; guarded by this object's monitor. */
    private final Map<SocketOption<?>, Object> kept = new HashMap<>();

    private OptionStore(SelectorProvider provider, SocketChannel kernel, Map<SocketOption<?>, Object> inherited) {
        this.provider = provider;
        this.kernel = kernel;
        this.inherited = inherited;
    }

    /** An option of the JDK's that java.net does not name. */
    @SuppressWarnings("unchecked")
    static SocketOption<Boolean> oobInline() {
        for (SocketOption<?> option : supportedOptions()) {
            if (isOobInline(option)) {
                return (SocketOption<Boolean>) option;
            }
        }
        throw new UnsupportedOperationException("'SO_OOBINLINE' not supported");
    }

    static boolean isOobInline(SocketOption<?> option) {
        return option.name().equals("SO_OOBINLINE");
    }

    /** The options of a channel that the program opens. */
    static OptionStore open(SelectorProvider provider, ProtocolFamily family) throws IOException {
        return of(provider, family == null ? provider.openSocketChannel() : provider.openSocketChannel(family));
    }

    /** The options of a kernel channel, which the store owns from now on. */
    static OptionStore of(SelectorProvider provider, SocketChannel kernel) {
        return new OptionStore(provider, kernel, Map.of());
    }

    /** The options of an accepted connection on rings, which inherits those of its server. */
    static OptionStore lazy(SelectorProvider provider, Map<SocketOption<?>, Object> server) {
        OptionStore options = new OptionStore(provider, null, server);
        options.remember(StandardSocketOptions.SO_RCVBUF, server.get(StandardSocketOptions.SO_RCVBUF));
        return options;
    }

    /** The kernel channel; null if there is none, or none any more. */
    synchronized SocketChannel kernel() {
        return kernel;
    }

    /** The channel of the JDK that moves the bytes of a connection that is not on rings; null as {@link #kernel}. */
    synchronized SocketChannel carrier() {
        return carrier == null ? kernel : carrier;
    }

    /**
     * Another channel moves the bytes from now on, which the store owns.
     *
     * @throws ClosedChannelException if the store is closed, and so has closed the other one
     */
    void carriedBy(SocketChannel other) throws IOException {
        synchronized (this) {
            if (!closed) {
                carrier = other;
                return;
            }
        }
        other.close();
        throw new AsynchronousCloseException();
    }

    /** Whether the close of the kernel channel resets the connection. Data by another channel always arrive. */
    synchronized boolean resetsAtClose() {
        return linger == 0 && carrier == null;
    }

    <T> void set(SocketOption<T> option, T value) throws IOException {
        if (isKept(option, value)) {
            return;
        }
        channel().setOption(option, value);
        remember(option, value);
    }

    /** Keeps an option while there is no kernel channel, because to open one takes longer than to connect. */
    private synchronized boolean isKept(SocketOption<?> option, Object value) {
        boolean keeps = kernel == null && !closed && isUsual(option, value);
        if (keeps) {
            kept.put(option, value);
            remember(option, value);
        }
        return keeps;
    }

    /** Whether servers usually set this option of accepted connections, and the kernel would not refuse the value. */
    private static boolean isUsual(SocketOption<?> option, Object value) {
        if (BufferSizes.OPTIONS.contains(option)) {
            return value instanceof Integer size && size >= 0;
        }
        return option.type().isInstance(value)
                && (SWITCHES.contains(option) || option.equals(StandardSocketOptions.SO_LINGER));
    }

    private synchronized void remember(SocketOption<?> option, Object value) {
        if (isOobInline(option)) {
            takesUrgent = Boolean.TRUE.equals(value);
        }
        if (!(value instanceof Integer number)) {
            return;
        }
        if (option.equals(StandardSocketOptions.SO_SNDBUF)) {
            sendSize = Math.max(1, number);
        } else if (option.equals(StandardSocketOptions.SO_RCVBUF)) {
            receiveSize = Math.max(1, number);
        } else if (option.equals(StandardSocketOptions.SO_LINGER)) {
            linger = Math.clamp(number, -1, LONGEST_LINGER);
        }
    }

    /** @param onRings whether the connection is on rings, and so has none of the kernel's buffers */
    <T> T get(SocketOption<T> option, boolean onRings) throws IOException {
        Object known = onRings && !carriesNothing && BufferSizes.OPTIONS.contains(option) ? size(option) : kept(option);
        return known == null ? channel().getOption(option) : option.type().cast(known);
    }

    /** The value if it is known here; null if only the kernel channel has it. */
    private synchronized Object kept(SocketOption<?> option) {
        if (kernel != null || closed) {
            return null;
        }
        if (option.equals(StandardSocketOptions.SO_LINGER)) {
            return linger;
        }
        return SWITCHES.contains(option) ? kept.getOrDefault(option, false) : null;
    }

    /** The size that the kernel would report for a buffer, if the connection had one. */
    private Object size(SocketOption<?> option) throws IOException {
        boolean sends = option.equals(StandardSocketOptions.SO_SNDBUF);
        int asked = sends ? sendSize(0) : receiveSize(0);
        return asked == 0
                ? BufferSizes.unasked(provider, option)
                : BufferSizes.made(
                        provider, sends ? StandardSocketOptions.SO_SNDBUF : StandardSocketOptions.SO_RCVBUF, asked);
    }

    Set<SocketOption<?>> supported() {
        return supportedOptions();
    }

    /** The options of the JDK's channels, read once from one of them; fails while there is no descriptor for it. */
    private static Set<SocketOption<?>> supportedOptions() {
        Set<SocketOption<?>> options = supported;
        if (options == null) {
            try (SocketChannel any = DefaultSelectorProvider.get().openSocketChannel()) {
                options = any.supportedOptions();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            supported = options;
        }
        return options;
    }

    @Override
    public synchronized int sendSize(int otherwise) {
        return sendSize == 0 ? otherwise : sendSize;
    }

    @Override
    public synchronized int receiveSize(int otherwise) {
        return receiveSize == 0 ? otherwise : receiveSize;
    }

    /** Seconds for which close is to linger; negative if it is not. */
    synchronized int linger() {
        return linger;
    }

    /** Whether urgent data are to come in the stream. */
    synchronized boolean takesUrgent() {
        return takesUrgent;
    }

    private synchronized SocketChannel channel() throws IOException {
        if (kernel == null) {
            if (closed) {
                throw new ClosedChannelException();
            }
            kernel = provider.openSocketChannel();
            for (Map.Entry<SocketOption<?>, Object> each : inherited.entrySet()) {
                set(kernel, each.getKey(), each.getValue());
            }
            for (Map.Entry<SocketOption<?>, Object> each : kept.entrySet()) {
                set(kernel, each.getKey(), each.getValue());
            }
        }
        return kernel;
    }

    private static <T> void set(SocketChannel channel, SocketOption<T> option, Object value) throws IOException {
        channel.setOption(option, option.type().cast(value));
    }

    /**
     * Makes the close reset the kernel's connection. One that is closed in order keeps its port for a minute
     * (TIME_WAIT), and if it was bound keeps it from every other connection of this network namespace.
     */
    private static void reset(SocketChannel idle) {
        try {
            idle.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // It is closed already.
            return;
        }
    }

    /** The data of the kernel's connection go through rings from now on. */
    void carriesNothing() {
        carriesNothing = true;
    }

    void close() throws IOException {
        SocketChannel open;
        SocketChannel other;
        synchronized (this) {
            closed = true;
            open = kernel;
            other = carrier;
        }
        try (other) {
            if (open != null) {
                if (carriesNothing) {
                    reset(open);
                }
                open.close();
            }
        }
    }
}
