// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The options of a server channel, which its kernel channel keeps. Remembers those that were set. Thread safe. */
final class ServerOptions {
    private final ServerSocketChannel kernel;

    /** The options that were set. Replaced as a whole, under this object's monitor. */
    private volatile Map<SocketOption<?>, Object> changed = Map.of(StandardSocketOptions.SO_REUSEADDR, true);

    ServerOptions(ServerSocketChannel kernel) {
        this.kernel = kernel;
    }

    Set<SocketOption<?>> supported() {
        return kernel.supportedOptions();
    }

    <T> void set(SocketOption<T> option, T value) throws IOException {
        kernel.setOption(option, value);
        synchronized (this) {
            Map<SocketOption<?>, Object> next = new HashMap<>(changed);
            next.put(option, value);
            changed = Map.copyOf(next);
        }
    }

    <T> T get(SocketOption<T> option) throws IOException {
        return kernel.getOption(option);
    }

    /** The options that accepted connections inherit: those that were set. */
    Map<SocketOption<?>, Object> inherited() {
        return changed;
    }

    /**
     * Whether other servers may listen at the same address and port, so that the kernel distributes connections among
     * them.
     */
    boolean isShared() {
        return Boolean.TRUE.equals(changed.get(StandardSocketOptions.SO_REUSEPORT));
    }

    /** The size of receive rings that the program asked for; 0 for none. */
    int receiveSize() {
        return changed.get(StandardSocketOptions.SO_RCVBUF) instanceof Integer size ? size : 0;
    }
}
