// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.SpinMode;

/** Waits for tests in other packages. */
public final class PlayedWaits {
    private PlayedWaits() {}

    /** A wait that does not spin. */
    public static PeerWait newWait(PeerSource source, int direction) {
        return new PeerWait(source, direction, SpinMode.NEVER);
    }

    /** Arms a source for a watcher. */
    public static void arm(PeerSource source, int direction, PlayedWatcher watcher) throws PdException {
        source.watchers.arm(direction, watcher);
    }

    /** Disarms a source for a watcher. */
    static void disarm(PeerSource source, int direction, PlayedWatcher watcher) {
        source.watchers.disarm(direction, watcher);
    }

    /** Wakes the watchers of one direction. */
    static void wake(PeerSource source, int direction) {
        source.watchers.wake(direction);
    }
}
