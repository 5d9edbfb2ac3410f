// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.memory.SharedRegion;

/**
 * A larger ring of a peer's, mapped. It stays mapped while a program has views of its memory, which would not notice, also
 * when the peer takes it back. Guarded by the link's lock.
 */
final class PeerRing {
    final SharedRegion region;
    int holders;

    /** Whether its pages are there. */
    boolean populated;

    boolean takenBack;

    PeerRing(SharedRegion region) {
        this.region = region;
    }
}
