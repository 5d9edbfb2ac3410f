// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;

/** Waits until a channel in non-blocking mode is ready, with a selector, as a program does. */
final class Readiness {
    private static final long PATIENCE = Duration.ofMinutes(10).toMillis();

    private Readiness() {}

    static void awaitReadable(SelectableChannel channel) throws IOException {
        await(channel, SelectionKey.OP_READ);
    }

    static void awaitWritable(SelectableChannel channel) throws IOException {
        await(channel, SelectionKey.OP_WRITE);
    }

    static void await(SelectableChannel channel, int operation) throws IOException {
        try (Selector selector = channel.provider().openSelector()) {
            SelectionKey key = channel.register(selector, operation);
            assertEquals(1, selector.select(PATIENCE), () -> channel + " is not ready for " + operation);
            assertEquals(operation, key.readyOps());
        }
    }
}
