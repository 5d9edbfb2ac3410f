// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import java.net.SocketImpl;
import sun.nio.ch.NioSocketImpl;

/** Creates the JDK's own sockets. The verifier would load that class for a larger class that names it, in every JVM. */
final class JdkSockets {
    private JdkSockets() {}

    static SocketImpl create(boolean server) {
        return new NioSocketImpl(server);
    }
}
