// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.net.SocketImpl;

/**
 * Creates the implementations of java.net's sockets. Loaded only where the agent has opened their package: no other class of this
 * package may name them.
 */
final class ClassicSockets {
    private ClassicSockets() {}

    /** @param home of channels that carry sockets of java.net */
    static SocketImpl create(ChannelHome home, boolean server) {
        return server ? new ClassicServerSocketImpl(home) : new ClassicSocketImpl(home);
    }
}
