// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.nio.PipeDeviceSelectorProvider;
import java.nio.channels.spi.SelectorProvider;

/** The two providers, each opened once in this JVM. */
final class Providers {
    private static final String HANDSHAKE = "pipedevice.handshake.millis";

    static final SelectorProvider JDK = SelectorProvider.provider();
    static final SelectorProvider PIPEDEVICE = patient();

    private Providers() {}

    /** A listener of this JVM answers, but only when its thread gets a processor. */
    private static SelectorProvider patient() {
        System.setProperty(HANDSHAKE, "10000");
        try {
            return new PipeDeviceSelectorProvider();
        } finally {
            System.clearProperty(HANDSHAKE);
        }
    }
}
