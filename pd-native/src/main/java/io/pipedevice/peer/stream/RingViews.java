// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.ring.PeerRing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The views of rings that a program has obtained through one connection. Each view ends before its memory is reused,
 * and all end with the connection; after that every access throws. Thread safe.
 */
final class RingViews {
    /** A view, and the peer's ring that it holds; null if none. */
    record View(Arena arena, MemorySegment memory, PeerRing held) {}

    private final RingLender rings;

    /** Guarded by this object's monitor, under which the link's lock is taken. */
    private final List<View> views = new ArrayList<>(0);

    private boolean closed;

    RingViews(RingLender rings) {
        this.rings = rings;
    }

    /**
     * Opens a view.
     *
     * @param memory of a ring
     * @param held the ring, which the caller has held until now; null for memory that lasts as long as the connection
     * @throws IllegalStateException if the connection is closed
     */
    @SuppressWarnings("restricted")
    synchronized View open(MemorySegment memory, PeerRing held) {
        if (closed) {
            release(held);
            throw new IllegalStateException("the socket is closed");
        }
        Arena arena = Arena.ofShared();
        View view = new View(arena, memory.reinterpret(arena, null), held);
        views.add(view);
        return view;
    }

    /** Ends a view. No other thread is accessing it when this returns. */
    synchronized void end(View view) {
        if (views.remove(view)) {
            SharedRegion.closeArena(view.arena);
            release(view.held);
        }
    }

    /** Ends all views, and permits no more. */
    synchronized void close() {
        closed = true;
        while (!views.isEmpty()) {
            end(views.getLast());
        }
    }

    private void release(PeerRing ring) {
        if (ring != null) {
            rings.release(ring);
        }
    }
}
