// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Tells the owner of a bell whether a peer may have tried to ring it in vain, because it was full. Thread safe.
 */
@SuppressWarnings("ReferenceEquality")
final class Overflows {
    private final Consumer<RingLink> note = this::note;

    /** The link noted last, which is often the next. */
    private volatile RingLink last;

    /** Links whose peers may ring, and what they said when this owner last looked. Under this object's monitor. */
    private RingLink[] links = new RingLink[4];

    private long[] seen = new long[4];
    private int count;

    /** Notes the peers of a source, before it is armed. */
    void note(PeerSource source) {
        source.forEachLink(note);
    }

    private void note(RingLink link) {
        if (link != last) {
            add(link);
            last = link;
        }
    }

    private synchronized void add(RingLink link) {
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

    /** Whether somebody found a bell full since the last call; then everything that is armed has to be looked at. */
    synchronized boolean happened() {
        boolean happened = false;
        removeBroken();
        for (int i = 0; i < count; i++) {
            try {
                long now = word(links[i]);
                happened |= now != seen[i];
                seen[i] = now;
            } catch (IllegalStateException e) {
                // It is over; who waited there was told, and it leaves at the next call.
                happened = true;
            }
        }
        return happened;
    }

    private static long word(RingLink link) {
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
