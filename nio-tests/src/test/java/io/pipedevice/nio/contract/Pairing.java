// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.net.InetAddress;
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
    /** Between two network namespaces, through the memory of the two ends, which a driver introduces. */
    PIPEDEVICE_DIRECT(true, true) {
        @Override
        SelectorProvider pipeDevice() {
            return DirectProviders.channels();
        }

        @Override
        SelectorProvider client() {
            return DirectProviders.client();
        }

        @Override
        SelectorProvider server() {
            return DirectProviders.server();
        }

        @Override
        SelectorProvider kernelAtClient() {
            return DirectProviders.kernelAtClient();
        }

        @Override
        SelectorProvider kernelAtServer() {
            return DirectProviders.kernelAtServer();
        }

        @Override
        InetAddress clientHost() {
            return TwoNamespaces.CLIENT;
        }

        @Override
        InetAddress serverHost() {
            return TwoNamespaces.SERVER;
        }

        @Override
        NetSockets clientSockets() {
            return DirectProviders.clientSockets();
        }

        @Override
        NetSockets serverSockets() {
            return DirectProviders.serverSockets();
        }

        @Override
        boolean connectsWhenAccepted() {
            return true;
        }

        @Override
        String whyNot() {
            return DirectProviders.whyNone();
        }
    },
    PIPEDEVICE_CLIENT_ONLY(true, false),
    /**
     * Through Unix-domain sockets, to servers that are no TCP listeners: only {@link UnixRuleContractTest} and {@link UnixRuleSocketContractTest} have it. Named
     * by the property, it shows what else is different.
     */
    PIPEDEVICE_RULE(true, false) {
        @Override
        SelectorProvider pipeDevice() {
            return RuleProviders.CLIENT;
        }

        @Override
        SelectorProvider server() {
            return RuleProviders.SERVER;
        }

        @Override
        SelectorProvider kernelAtServer() {
            return RuleProviders.SERVER;
        }
    },
    PIPEDEVICE_SERVER_ONLY(false, true);

    private final boolean ownClient;
    private final boolean ownServer;

    Pairing(boolean ownClient, boolean ownServer) {
        this.ownClient = ownClient;
        this.ownServer = ownServer;
    }

    /** The provider that PipeDevice's channels name as theirs. */
    SelectorProvider pipeDevice() {
        return Providers.PIPEDEVICE;
    }

    /** Opens the ends that connect. */
    SelectorProvider client() {
        return ownClient ? pipeDevice() : Providers.JDK;
    }

    /** Opens the ends that listen and accept. */
    SelectorProvider server() {
        return ownServer ? pipeDevice() : Providers.JDK;
    }

    /** Whether each JVM has a driver of its own, so that none reaches another one. */
    boolean hasOwnDriver() {
        return this == PIPEDEVICE_DRIVER || this == PIPEDEVICE_INTRODUCED;
    }

    /** The provider that the ends that connect name as theirs. */
    SelectorProvider providerOfClient() {
        return ownClient ? pipeDevice() : Providers.JDK;
    }

    /** The provider that the ends that listen and accept name as theirs. */
    SelectorProvider providerOfServer() {
        return ownServer ? pipeDevice() : Providers.JDK;
    }

    /** Opens channels of the JDK that reach the pairing's servers. */
    SelectorProvider kernelAtClient() {
        return Providers.JDK;
    }

    /** Opens listeners of the JDK, where clients of the pairing can reach them. */
    SelectorProvider kernelAtServer() {
        return Providers.JDK;
    }

    /** Opens sockets of java.net that connect. */
    NetSockets clientSockets() {
        return ownClient ? NetSockets.of(pipeDevice(), null) : NetSockets.JDK;
    }

    /** Opens sockets of java.net that listen, and those that are accepted. */
    NetSockets serverSockets() {
        return ownServer ? NetSockets.of(pipeDevice(), null) : NetSockets.JDK;
    }

    /** The address of the ends that connect; it has no host name, like addresses that come from the kernel. */
    InetAddress clientHost() {
        return Contract.LOOPBACK;
    }

    /** The address of the ends that listen. */
    InetAddress serverHost() {
        return Contract.LOOPBACK;
    }

    /** Whether a connection goes through rings, not through the kernel. */
    boolean accelerated() {
        return ownClient && ownServer;
    }

    /** Whether a connect waits for a while until the server accepts, and stays on the kernel if it does not. */
    boolean connectsWhenAccepted() {
        return false;
    }

    /** Why this pairing is not possible here; null if it is. */
    String whyNot() {
        return null;
    }
}
