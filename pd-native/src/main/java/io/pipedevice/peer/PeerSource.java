// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdSource;

/** What threads and {@link PeerEpoll}s of this process wait for: a socket, or a listener. Thread safe. */
abstract class PeerSource implements PdSource {
    /** Who waits for it in this process. */
    final Watchers watchers = new Watchers(this);

    private volatile boolean waitsEnded;

    /** What is ready, {@link io.pipedevice.lib.PdEpoll} bits, of what is wanted; ERR and HUP are always wanted. */
    abstract int readiness(int wanted);

    /**
     * Asks the peers to ring a bell at the next news. The caller fences and looks afterwards.
     *
     * @param direction {@link io.pipedevice.lib.PdEpoll#IN} or OUT
     * @param generation differs from the last one of this direction
     * @return false if a peer could not be told of the bell, so that the dispatcher's must be used
     */
    abstract boolean arm(int direction, Bell bell, long generation, int cookie);

    /** Asks for nothing any more. */
    abstract void disarm(int direction);

    /** Ends the waits of threads, now and for ever. */
    void endWaits() {
        waitsEnded = true;
        watchers.wake();
    }

    boolean waitsEnded() {
        return waitsEnded;
    }
}
