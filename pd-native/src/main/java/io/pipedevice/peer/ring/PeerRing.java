// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

import io.pipedevice.memory.SharedRegion;

/**
 * A mapped larger ring of a peer. It stays mapped while a program has views of its memory, even when the peer takes it
 * back, because the views would not notice the unmapping. Guarded by the link's lock.
 */
public final class PeerRing {
    /** The mapping. */
    public final SharedRegion region;
    /** How many threads and views use it. Guarded by the link's lock. */
    public int holders;

    /** Whether its page tables are filled. */
    boolean populated;

    boolean takenBack;

    /**
     * Creates a ring that no thread uses yet.
     *
     * @param region the mapping
     */
    public PeerRing(SharedRegion region) {
        this.region = region;
    }
}
