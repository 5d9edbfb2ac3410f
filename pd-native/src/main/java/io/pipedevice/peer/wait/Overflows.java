// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells the owner of a bell whether a peer may have tried to ring it in vain, because it was full. Thread safe.
 */
@SuppressWarnings("ReferenceEquality")
final class Overflows {
    private final Consumer<BellLink> note = this::note;
    private final Consumer<BellLink> match = this::match;

    /** The link noted last, which is often the next. */
    private volatile BellLink last;

    /** Links whose peers may ring, and what they said when this owner last looked. Under this object's monitor. */
    private BellLink[] links = new BellLink[4];

    private long[] seen = new long[4];
    private int count;

    /** Where it happened, and whether a source is from there: the looking thread's. */
    private final List<BellLink> happened = new ArrayList<>();

    private boolean matches;

    /** Notes the peers of a source, before it is armed. */
    void note(PeerSource source) {
        source.forEachLink(note);
    }

    /** Notes a peer, before a source of its is armed. */
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
            // It is over, and nobody will ring.
            links[count] = null;
        }
    }

    /**
     * Whether somebody found a bell full since the last call; then everything that is armed for that peer has to be
     * looked at. Belongs to one thread, with {@link #concern}.
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
                // It is over; its waiting threads were woken, and it leaves at the next call.
                happened.add(links[i]);
            }
        }
        return !happened.isEmpty();
    }

    /** Whether that, as last seen, may have been in vain for a source: a peer is not to make others' be looked at. */
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

    /** Forgets the links from which nothing can come any more. */
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
