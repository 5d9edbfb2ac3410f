// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Detects for the owner of a bell whether a peer may have failed to ring it because it was full. Thread safe. */
@SuppressWarnings("ReferenceEquality")
final class Overflows {
    private final Consumer<BellLink> note = this::note;
    private final Consumer<BellLink> match = this::match;

    /** The link noted last, which is often noted next. */
    private volatile BellLink last;

    /**
     * Links whose peers may ring, and their overflow counts at the owner's last check. Guarded by this object's
     * monitor.
     */
    private BellLink[] links = new BellLink[4];

    private long[] seen = new long[4];
    private int count;

    /**
     * The links whose counts have changed, and whether a source belongs to one of them. Used by the checking thread.
     */
    private final List<BellLink> happened = new ArrayList<>();

    private boolean matches;

    /** Notes the peers of a source, before it is armed. */
    void note(PeerSource source) {
        source.forEachLink(note);
    }

    /** Notes a link, before a source of it is armed. */
    void note(BellLink link) {
        if (link != last) {
            add(link);
            last = link;
        }
    }

    private synchronized void add(BellLink link) {
        for (int i = 0; i < count; i++) {
            if (links[i] == link) {
                return;
            }
        }
        if (count == links.length) {
            removeBroken();
        }
        if (count == links.length) {
            links = Arrays.copyOf(links, count * 2);
            seen = Arrays.copyOf(seen, count * 2);
        }
        try {
            seen[count] = word(link);
            links[count++] = link;
        } catch (IllegalStateException e) {
            // The link has ended, and its peer will not ring.
            links[count] = null;
        }
    }

    /**
     * Whether a peer has found a bell full since the last call. Then every source that is armed for that peer has to be
     * checked. Used by one thread only, like {@link #concern}.
     */
    synchronized boolean happened() {
        happened.clear();
        removeBroken();
        for (int i = 0; i < count; i++) {
            try {
                long now = word(links[i]);
                if (now != seen[i]) {
                    happened.add(links[i]);
                }
                seen[i] = now;
            } catch (IllegalStateException e) {
                // The link has ended; its waiting threads were woken, and the next call removes it.
                happened.add(links[i]);
            }
        }
        return !happened.isEmpty();
    }

    /** Whether the overflows last found may concern a source. A peer must not cause checks of other peers' sources. */
    boolean concern(PeerSource source) {
        matches = false;
        source.forEachLink(match);
        return matches;
    }

    private void match(BellLink link) {
        for (int i = 0; i < happened.size() && !matches; i++) {
            matches = happened.get(i) == link;
        }
    }

    private static long word(BellLink link) {
        return link.peer().getAcquire(LinkMemoryDescriptor.OVERFLOW_OFFSET);
    }

    /** Removes the broken links, whose peers will not ring any more. */
    private void removeBroken() {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (!links[i].isBroken()) {
                links[kept] = links[i];
                seen[kept++] = seen[i];
            }
        }
        Arrays.fill(links, kept, count, null);
        count = kept;
    }
}
