// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.nio.PipeDeviceSelectorProvider;
import java.nio.channels.spi.SelectorProvider;

/** The two providers, each opened once in this JVM. */
final class Providers {
    static final SelectorProvider JDK = SelectorProvider.provider();
    static final SelectorProvider PIPEDEVICE = new PipeDeviceSelectorProvider();

    private Providers() {}
}
