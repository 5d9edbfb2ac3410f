// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.Executors;

/** Opens groups for tests. */
final class Groups {
    private Groups() {}

    static ChannelGroup open() {
        try {
            return (ChannelGroup)
                    new AsynchronousChannels(AsynchronousChannelProvider.provider(), SelectorProvider.provider())
                            .openGroup(Executors.newCachedThreadPool(work -> {
                                Thread thread = new Thread(work);
                                thread.setDaemon(true);
                                return thread;
                            }));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
