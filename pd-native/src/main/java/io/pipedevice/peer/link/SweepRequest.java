// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

/** Requests sweeps of one link. A repeated request costs only the read of a flag. Thread safe. */
final class SweepRequest {
    private final Sweeper sweeper;
    private final Sweeper.Swept link;

    /** Whether a requested sweep has not begun yet. It will see everything that was left to it before it begins. */
    private volatile boolean ahead;

    SweepRequest(Sweeper sweeper, Sweeper.Swept link) {
        this.sweeper = sweeper;
        this.link = link;
    }

    /** Has the link swept soon. False if no thread can be started for it. */
    boolean make() {
        if (!ahead) {
            ahead = true;
            if (!sweeper.later(link)) {
                ahead = false;
                return false;
            }
        }
        return true;
    }

    /** A sweep begins: work left to the sweep from now on needs another request. */
    void met() {
        ahead = false;
    }
}
