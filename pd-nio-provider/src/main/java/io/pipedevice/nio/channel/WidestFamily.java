// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.spi.SelectorProvider;

/** The family of a channel that is opened without one: INET where there is no IPv6. Thread safe. */
final class WidestFamily {
    /** Null until it is known. */
    private static volatile ProtocolFamily known;

    private WidestFamily() {}

    /** @param kernel the JDK's own provider, of which there is one */
    static ProtocolFamily of(SelectorProvider kernel) throws IOException {
        if (known == null) {
            known = ask(kernel);
        }
        return known;
    }

    private static ProtocolFamily ask(SelectorProvider kernel) throws IOException {
        try {
            kernel.openSocketChannel(StandardProtocolFamily.INET6).close();
            return StandardProtocolFamily.INET6;
        } catch (UnsupportedOperationException e) {
            // A property of the JVM has turned IPv6 off, or the kernel lacks it.
            return StandardProtocolFamily.INET;
        }
    }
}
