// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

import io.pipedevice.memory.SharedRegion;

/**
 * A larger ring of a peer's, mapped. It stays mapped while a program has views of its memory, which would not notice, also
 * when the peer takes it back. Guarded by the link's lock.
 */
public final class PeerRing {
    /** The mapping. */
    public final SharedRegion region;
    /** How many threads and views use it. Guarded by the link's lock. */
    public int holders;

    /** Whether its pages are there. */
    boolean populated;

    boolean takenBack;

    /**
     * A ring that no thread uses yet.
     *
     * @param region mapped
     */
    public PeerRing(SharedRegion region) {
        this.region = region;
    }
}
