// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

/** Who waits for a source in this process. Thread safe. */
final class Watchers {
    private final PeerSource source;

    Watchers(PeerSource source) {
        this.source = source;
    }

    /** Makes everybody who waits look at the source again. */
    void wake() {
        assert source != null;
    }
}
