// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** Translates the numbers of {@link SocketOptions} to the options of a channel. */
final class ClassicOptions {
    private ClassicOptions() {}

    /** The options of java.net's sockets. They name urgent data in line by number alone. */
    static Set<SocketOption<?>> supported(NetworkChannel channel) {
        Set<SocketOption<?>> options = new HashSet<>(channel.supportedOptions());
        options.removeIf(OptionStore::isOobInline);
        return options;
    }

    static void requireSupported(NetworkChannel channel, SocketOption<?> option) {
        Objects.requireNonNull(option);
        if (!channel.supportedOptions().contains(option)) {
            throw new UnsupportedOperationException("'" + option + "' not supported");
        }
    }

    static void set(NetworkChannel channel, int number, Object value) throws SocketException {
        switch (number) {
            case SocketOptions.SO_LINGER -> {
                int seconds = value instanceof Integer given && given >= 0 ? given : -1;
                AdaptorOptions.set(channel, StandardSocketOptions.SO_LINGER, seconds);
            }
            case SocketOptions.SO_SNDBUF ->
                AdaptorOptions.set(channel, StandardSocketOptions.SO_SNDBUF, size(value, "SO_SNDBUF"));
            case SocketOptions.SO_RCVBUF ->
                AdaptorOptions.set(channel, StandardSocketOptions.SO_RCVBUF, size(value, "SO_RCVBUF"));
            case SocketOptions.IP_TOS ->
                AdaptorOptions.set(channel, StandardSocketOptions.IP_TOS, intValue(value, "IP_TOS"));
            default -> AdaptorOptions.set(channel, flag(number), booleanValue(value, number));
        }
    }

    static Object get(NetworkChannel channel, int number) throws SocketException {
        return switch (number) {
            case SocketOptions.SO_LINGER -> AdaptorOptions.get(channel, StandardSocketOptions.SO_LINGER);
            case SocketOptions.SO_SNDBUF -> AdaptorOptions.get(channel, StandardSocketOptions.SO_SNDBUF);
            case SocketOptions.SO_RCVBUF -> AdaptorOptions.get(channel, StandardSocketOptions.SO_RCVBUF);
            case SocketOptions.IP_TOS -> AdaptorOptions.get(channel, StandardSocketOptions.IP_TOS);
            case SocketOptions.SO_BINDADDR -> boundAddress(channel).getAddress();
            default -> AdaptorOptions.get(channel, flag(number));
        };
    }

    private static InetSocketAddress boundAddress(NetworkChannel channel) throws SocketException {
        try {
            InetSocketAddress bound = (InetSocketAddress) channel.getLocalAddress();
            return bound == null ? new InetSocketAddress(0) : bound;
        } catch (IOException e) {
            throw Failures.ofOption(e);
        }
    }

    private static SocketOption<Boolean> flag(int number) throws SocketException {
        return switch (number) {
            case SocketOptions.TCP_NODELAY -> StandardSocketOptions.TCP_NODELAY;
            case SocketOptions.SO_KEEPALIVE -> StandardSocketOptions.SO_KEEPALIVE;
            case SocketOptions.SO_REUSEADDR -> StandardSocketOptions.SO_REUSEADDR;
            case SocketOptions.SO_REUSEPORT -> StandardSocketOptions.SO_REUSEPORT;
            case SocketOptions.SO_OOBINLINE -> OptionStore.oobInline();
            default -> throw new SocketException("Unknown option " + number);
        };
    }

    /** The value of an option that is an int, and not negative. */
    static int intValue(Object value, String name) throws SocketException {
        if (!(value instanceof Integer number)) {
            throw new SocketException("Bad value for " + name);
        }
        if (number < 0) {
            throw new IllegalArgumentException(name + " < 0");
        }
        return number;
    }

    private static int size(Object value, String name) throws SocketException {
        int size = intValue(value, name);
        if (size == 0) {
            throw new SocketException("Invalid value for " + name);
        }
        return size;
    }

    private static boolean booleanValue(Object value, int number) throws SocketException {
        if (value instanceof Boolean on) {
            return on;
        }
        throw new SocketException("Bad value for option " + number);
    }
}
