// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.peer.protocol.PeerArmWord;

/** Waits for a source in this process: a thread, or a {@link PeerEpoll}. */
interface Watcher {
    /** What wakes it; null if it has none of its own, and the dispatcher calls {@link #wake}. */
    Bell bell();

    /** What its bell tells it by, 0 to {@link PeerArmWord#MAX_COOKIE}. */
    int cookie();

    /** Makes it look at the source again. Any thread, also without need; holds no lock and waits for nothing. */
    void wake();

    /** Whether it waits no more, for ever. */
    boolean isGone();
}
