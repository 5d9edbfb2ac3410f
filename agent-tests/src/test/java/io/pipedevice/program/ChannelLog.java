// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A log that a program sends over the network. It connects when it starts, and prints the provider that it finds then.
 */
public final class ChannelLog extends System.LoggerFinder {
    private static final int NOBODY_LISTENS = 1;

    private final AtomicBoolean connected = new AtomicBoolean();

    @Override
    public System.Logger getLogger(String name, Module module) {
        if (connected.compareAndSet(false, true)) {
            SelectorProvider provider = SelectorProvider.provider();
            System.out.println("log with "
                    + (provider == null ? "none" : provider.getClass().getName()));
            connect();
        }
        return new Silent(name);
    }

    private static void connect() {
        try {
            SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), NOBODY_LISTENS))
                    .close();
        } catch (ConnectException e) {
            System.out.println("log says " + e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Silent(String name) implements System.Logger {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return false;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {}

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... params) {}
    }
}
