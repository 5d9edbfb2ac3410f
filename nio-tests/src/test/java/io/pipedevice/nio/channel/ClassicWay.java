// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.net.SocketImpl;

/** Finds out which way the connection of a socket of java.net goes. */
public final class ClassicWay {
    private ClassicWay() {}

    /** Whether it is on rings. */
    public static boolean isRings(SocketImpl socket) {
        return socket instanceof ClassicSocketImpl classic
                && classic.channel() != null
                && classic.channel().toString().contains("rings");
    }
}
