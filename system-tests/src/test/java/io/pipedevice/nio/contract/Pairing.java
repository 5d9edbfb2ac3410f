// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.nio.channels.spi.SelectorProvider;

/**
 * The providers that open the two ends of a connection. Each test that passes with the JDK at both ends must pass with
 * all.
 */
enum Pairing {
    /** The oracle: an assertion that fails here is wrong. */
    JDK_JDK(false, false),
    /** Through the memory of the two ends. */
    PIPEDEVICE(true, true),
    /** Through the device of a driver. */
    PIPEDEVICE_DRIVER(true, true) {
        @Override
        SelectorProvider pipeDevice() {
            return DriverProvider.DEVICE.get();
        }
    },
    /** Through the memory of the two ends, which a driver introduces. */
    PIPEDEVICE_INTRODUCED(true, true) {
        @Override
        SelectorProvider pipeDevice() {
            return DriverProvider.DIRECT.get();
        }
    },
    PIPEDEVICE_CLIENT_ONLY(true, false),
    PIPEDEVICE_SERVER_ONLY(false, true);

    private final boolean ownClient;
    private final boolean ownServer;

    Pairing(boolean ownClient, boolean ownServer) {
        this.ownClient = ownClient;
        this.ownServer = ownServer;
    }

    SelectorProvider pipeDevice() {
        return Providers.PIPEDEVICE;
    }

    /** The provider of the ends that connect. */
    SelectorProvider client() {
        return ownClient ? pipeDevice() : Providers.JDK;
    }

    /** The provider of the ends that listen and accept. */
    SelectorProvider server() {
        return ownServer ? pipeDevice() : Providers.JDK;
    }

    /** Whether the two ends need a driver. */
    boolean hasDriver() {
        return this == PIPEDEVICE_DRIVER || this == PIPEDEVICE_INTRODUCED;
    }

    /** Whether a connection goes through rings, not through the kernel. */
    boolean accelerated() {
        return ownClient && ownServer;
    }
}
