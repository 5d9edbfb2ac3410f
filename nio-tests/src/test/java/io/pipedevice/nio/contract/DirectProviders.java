// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.nio.channels.spi.SelectorProvider;
import java.util.List;

/**
 * Providers whose clients are in one network namespace and whose servers in another one, although all of them are in
 * this JVM: channels are opened by threads that are there. Or, in a JVM that is in one of the two, only its own end.
 */
final class DirectProviders {
    /**
     * Property: the directory of a driver. This JVM is in one of the two namespaces of another JVM, which started the
     * driver.
     */
    static final String END_PROPERTY = "pipedevice.test.direct";

    /** Null in a JVM that has both ends. */
    private static final String END = emptyToNull(System.getProperty(END_PROPERTY));

    private DirectProviders() {}

    private static String emptyToNull(String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    /** Made when first needed. */
    private static final class Channels {
        static final SelectorProvider PIPEDEVICE =
                DriverProvider.attached(END == null ? DriverProvider.DIRECT.directory() : END);
        static final SelectorProvider CLIENT = atClient(PIPEDEVICE);
        static final SelectorProvider SERVER = announced(PIPEDEVICE);
        static final SelectorProvider KERNEL_AT_CLIENT = atClient(Providers.JDK);
        static final SelectorProvider KERNEL_AT_SERVER = atServer(Providers.JDK);

        private Channels() {}

        private static SelectorProvider atClient(SelectorProvider provider) {
            return END == null ? new OpensIn(TwoNamespaces.ofThisJvm().clients(), provider) : provider;
        }

        private static SelectorProvider announced(SelectorProvider provider) {
            return END == null ? OpensIn.announced(TwoNamespaces.ofThisJvm().servers(), provider) : provider;
        }

        private static SelectorProvider atServer(SelectorProvider provider) {
            return END == null ? new OpensIn(TwoNamespaces.ofThisJvm().servers(), provider) : provider;
        }
    }

    /** Runs a command where the servers are. */
    static List<String> serverCommand() {
        return List.of("nsenter", "--net=" + TwoNamespaces.ofThisJvm().servers().file());
    }

    /** Why there are none; null if there are. */
    static String whyNone() {
        return END == null ? TwoNamespaces.whyNone() : null;
    }

    /** The provider that the channels name as theirs. */
    static SelectorProvider channels() {
        return Channels.PIPEDEVICE;
    }

    /** Opens clients of the JDK. */
    static SelectorProvider kernelAtClient() {
        return Channels.KERNEL_AT_CLIENT;
    }

    /** Opens listeners of the JDK. */
    static SelectorProvider kernelAtServer() {
        return Channels.KERNEL_AT_SERVER;
    }

    /** Opens sockets of java.net that connect. */
    static NetSockets clientSockets() {
        return NetSockets.of(channels(), END == null ? TwoNamespaces.ofThisJvm().clients() : null);
    }

    /** Opens sockets of java.net that listen; the namespace is announced before. */
    static NetSockets serverSockets() {
        server();
        return NetSockets.of(channels(), END == null ? TwoNamespaces.ofThisJvm().servers() : null);
    }

    static SelectorProvider client() {
        return Channels.CLIENT;
    }

    static SelectorProvider server() {
        return Channels.SERVER;
    }
}
