// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.wait.ThreadBell;

/** A thread of this process, or an entry of a {@link PeerEpoll}, that waits for a source. */
interface Watcher {
    /**
     * The watcher's own bell, a {@link Bell} or a {@link SlotBell}; null if it has none, so that the dispatcher calls
     * {@link #wake}.
     */
    ThreadBell bell();

    /** The cookie that rings for this watcher carry, 0 to {@link PeerArmWord#MAX_COOKIE}. */
    int cookie();

    /** Makes the watcher check the source again. Any thread, even without need; holds no lock and does not wait. */
    void wake();

    /** Whether the watcher has stopped waiting for good. */
    boolean isGone();
}
