// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.peer.wait.Bell;

/** What tests of other packages look at in a socket. */
public final class StreamProbe {
    /** How long a quiet writer keeps its ring. */
    public static final long QUIET_NS = RingGrowth.QUIET_NS;

    private StreamProbe() {}

    /** The link that carries a connection. */
    public static RingLink link(PeerSocket socket) {
        return socket.link();
    }

    /** The slot of a connection. */
    public static int slot(PeerSocket socket) {
        return socket.slot();
    }

    /** The generation of a connection's slot. */
    public static int generation(PeerSocket socket) {
        return socket.generation();
    }

    /** Asks the peer to ring a bell. */
    public static boolean arm(PeerSocket socket, int direction, Bell bell, long generation, int cookie) {
        return socket.arm(direction, bell, generation, cookie);
    }

    /** What a wake-up by the peer costs. */
    public static long wakeUpNanos(PeerSocket socket) {
        return socket.wakeUpNanos();
    }
}
