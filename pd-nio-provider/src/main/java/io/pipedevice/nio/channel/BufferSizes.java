// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The buffer sizes that the kernel reports for a connection within this host. A connection on rings, which has no such
 * buffers, reports the same sizes. They are read from sockets that are closed at once. Thread safe.
 */
final class BufferSizes {
    /** The options that are sizes. */
    static final Set<SocketOption<?>> OPTIONS =
            Set.of(StandardSocketOptions.SO_SNDBUF, StandardSocketOptions.SO_RCVBUF);

    /** The sizes of a connection whose program has requested none; empty until they are first read. */
    private static final Map<SocketOption<?>, Object> UNASKED = new ConcurrentHashMap<>();

    /** The size that was requested last, because a program requests the same one again and again. */
    private static final Map<SocketOption<?>, Made> LAST = new ConcurrentHashMap<>();

    private record Made(int asked, Object made) {}

    private BufferSizes() {}

    /** The size of a buffer if the program has requested none. */
    static Object unasked(SelectorProvider provider, SocketOption<?> option) throws IOException {
        Object known = UNASKED.get(option);
        if (known == null) {
            measure(provider);
            known = UNASKED.get(option);
        }
        return known;
    }

    private static void measure(SelectorProvider provider) throws IOException {
        // An interrupt must not end the read of an option.
        boolean interrupted = Thread.interrupted();
        try (ServerSocketChannel listener = provider.openServerSocketChannel();
                SocketChannel client = provider.openSocketChannel()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
            client.connect(listener.getLocalAddress());
            for (SocketOption<?> option : OPTIONS) {
                UNASKED.put(option, client.getOption(option));
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The size that the kernel gives a buffer when the program requests a size. */
    static Object made(SelectorProvider provider, SocketOption<Integer> option, int asked) throws IOException {
        Made last = LAST.get(option);
        if (last == null || last.asked != asked) {
            try (SocketChannel any = provider.openSocketChannel()) {
                last = new Made(asked, any.setOption(option, asked).getOption(option));
            }
            LAST.put(option, last);
        }
        return last.made;
    }
}
