// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.nio.channels.spi.SelectorProvider;
import sun.nio.ch.DefaultSelectorProvider;

/** Decides once whether this JVM gets accelerated channels. */
final class StartUp {
    private final SelectorProvider kernel;
    private final Acceleration acceleration;

    StartUp(SelectorProvider provider) {
        this.kernel = DefaultSelectorProvider.get();
        this.acceleration = new RingAcceleration(provider, kernel);
    }

    /** The JDK's own provider. */
    SelectorProvider kernel() {
        return kernel;
    }

    /** What opens accelerated channels, or null where PipeDevice does not work. */
    Acceleration acceleration() {
        return acceleration;
    }
}
