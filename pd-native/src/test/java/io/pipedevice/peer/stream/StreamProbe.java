// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.peer.wait.Bell;

/** Access to sockets for tests of other packages. */
public final class StreamProbe {
    /** The time for which a quiet writer keeps its ring. */
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

    /** The cost of a wake-up by the peer. */
    public static long wakeUpNanos(PeerSocket socket) {
        return socket.wakeUpNanos();
    }
}
