// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import java.util.function.Consumer;

/** A source that is always ready for every event for which it is watched. */
final class PlayedInterest extends PeerSource {
    @Override
    public int readiness(int wanted) {
        return wanted;
    }

    @Override
    protected boolean arm(int direction, Bell bell, long generation, int cookie) {
        throw new AssertionError("it is ready");
    }

    @Override
    protected void disarm(int direction) {
        throw new AssertionError("it was not armed");
    }

    @Override
    protected boolean isOf(BellLink link) {
        throw new AssertionError("no thread rings for it");
    }

    @Override
    protected void forEachLink(Consumer<BellLink> visitor) {
        throw new AssertionError("no thread rings for it");
    }

    @Override
    public boolean isOpen() {
        return true;
    }
}
