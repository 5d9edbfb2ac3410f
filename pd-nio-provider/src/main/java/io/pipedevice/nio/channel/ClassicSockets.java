// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.net.SocketImpl;

/**
 * Creates the implementations of java.net's sockets. Loaded only where the agent has opened their package: no other
 * class of this package may name them.
 */
final class ClassicSockets {
    private ClassicSockets() {}

    /** @param home of channels that carry sockets of java.net */
    static SocketImpl create(ChannelHome home, boolean server) {
        return (SocketImpl) made(home, server);
    }

    /**
     * Without a type that the verifier has to find among the supertypes of the new object. An AOT cache lacks these
     * classes, because the agent has changed their superclass; the JVM that makes the cache runs without the agent, and
     * could not load them for the verifier's check.
     */
    private static Object made(ChannelHome home, boolean server) {
        if (server) {
            return new ClassicServerSocketImpl(home);
        }
        return new ClassicSocketImpl(home);
    }
}
