// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

/** Has one link swept, at the cost of one look at a flag where that was asked for already. Thread safe. */
final class SweepRequest {
    private final Sweeper sweeper;
    private final Sweeper.Swept link;

    /** Whether a sweep will come that has not begun, so that it finds everything that was left for it by now. */
    private volatile boolean ahead;

    SweepRequest(Sweeper sweeper, Sweeper.Swept link) {
        this.sweeper = sweeper;
        this.link = link;
    }

    /** Has the link swept soon, if it would not be anyway. False if there is no thread for it. */
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

    /** A sweep begins: what is left for a sweep after it has looked brings about another. */
    void met() {
        ahead = false;
    }
}
