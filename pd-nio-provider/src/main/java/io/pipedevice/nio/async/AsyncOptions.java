// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.net.SocketOption;
import java.nio.channels.NetworkChannel;
import java.util.Collections;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** The options of asynchronous channels. As with the JDK, they are those of other channels but for three. */
final class AsyncOptions {
    private static final Set<String> OTHERS = Set.of("SO_LINGER", "IP_TOS", "SO_OOBINLINE");

    private AsyncOptions() {}

    static Set<SocketOption<?>> of(NetworkChannel channel) {
        Set<SocketOption<?>> options = new HashSet<>(channel.supportedOptions());
        options.removeIf(option -> OTHERS.contains(option.name()));
        return Collections.unmodifiableSet(options);
    }

    /** @throws UnsupportedOperationException if the option is not among those */
    static void require(SocketOption<?> name, Set<SocketOption<?>> supported) {
        if (!supported.contains(Objects.requireNonNull(name))) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
    }
}
