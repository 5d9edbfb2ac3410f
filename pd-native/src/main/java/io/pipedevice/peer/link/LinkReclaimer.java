// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.peer.stream.RingLender;
import io.pipedevice.peer.stream.RingLink;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Gives back the resources that the connections of a link do not need any more, once the peer has released them too:
 * slots, rings, and finally the link itself. Thread safe, except where noted.
 */
final class LinkReclaimer {
    /** The link. Every method is called under the link's lock. */
    interface Owner {
        /** A slot is free again on both sides. */
        void giveBack(int slot);

        /** Whether no connection will be made any more. */
        boolean isOver();

        /** Whether this side may end while the peer still uses connections that are closed here. */
        boolean endsFirst();

        /** Unmaps the memories. */
        void end();
    }

    /** How many closed sockets one turn of a sweep checks. */
    private static final int LOOKS = 16;

    /** How many closed sockets one sweep checks. */
    private static final int LOOKS_OF_SWEEP = 256;

    private final Owner link;
    private final LinkState state;
    private final LinkSockets sockets;
    private final LinkTalk talk;
    private final LinkDoorbells doorbells;
    private final SweepRequest request;

    /** The senders whose streams went through wide rings at the last sweep or since. Guarded by the link's lock. */
    private final Set<RingLender.WideSender> wide = new HashSet<>();

    LinkReclaimer(
            Owner link,
            LinkState state,
            LinkSockets sockets,
            LinkTalk talk,
            LinkDoorbells doorbells,
            SweepRequest request) {
        this.link = link;
        this.state = state;
        this.sockets = sockets;
        this.talk = talk;
        this.doorbells = doorbells;
        this.request = request;
    }

    /** As {@link RingLink#closed}. */
    void closed(RingLink.End end) {
        state.lock.lock();
        try {
            if (sockets.closed(end)) {
                link.giveBack(end.slot());
            }
            boolean unread = talk.releaseReturnedRings();
            endIfUnused();
            sweepWhileNeeded(unread);
        } finally {
            state.lock.unlock();
        }
    }

    /** As {@link RingLender#widened}. */
    void widened(RingLender.WideSender sender) {
        state.lock.lock();
        try {
            if (!state.isEnded()) {
                wide.add(sender);
                request.make();
            }
        } finally {
            state.lock.unlock();
        }
    }

    /**
     * Frees the slots of closed sockets that the peer has closed too; checks that many sockets. Under the link's lock.
     */
    void reclaim(int looks) {
        assert state.isLocked();
        for (int i = Math.min(looks, sockets.closingCount()); i > 0; i--) {
            RingLink.End over = sockets.reclaim();
            if (over != null) {
                link.giveBack(over.slot());
            }
        }
    }

    /** Ends the link if no connection uses it or ever will. Under the link's lock. */
    void endIfUnused() {
        assert state.isLocked();
        if (state.isEnded() || sockets.openCount() > 0 || !link.isOver()) {
            return;
        }
        if (state.isBroken() || link.endsFirst() || isReleasedByPeer()) {
            link.end();
        }
    }

    /** Whether the client has closed all connections. Before that it would take the end of the link for a death. */
    private boolean isReleasedByPeer() {
        reclaim(sockets.closingCount());
        return sockets.closingCount() == 0;
    }

    /** Requests a sweep if there is something to give back or to read. Under the link's lock. */
    void sweepWhileNeeded(boolean unread) {
        assert state.isLocked();
        if (!state.isEnded()
                && (unread
                        || sockets.closingCount() > 0
                        || !wide.isEmpty()
                        || talk.hasFreeRings()
                        || talk.shortage().isPresent())) {
            request.make();
        }
    }

    /** As {@link Sweeper.Swept#sweep}. */
    boolean sweep() {
        request.met();
        // In small turns: other threads connect in between.
        for (int left = Math.min(LOOKS_OF_SWEEP, closingCount()); left > 0; left -= LOOKS) {
            sweepClosing(Math.min(LOOKS, left));
        }
        boolean unread = receiveMessages();
        sweepRings();
        return unread;
    }

    private int closingCount() {
        state.lock.lock();
        try {
            return sockets.closingCount();
        } finally {
            state.lock.unlock();
        }
    }

    private void sweepClosing(int looks) {
        state.lock.lock();
        try {
            if (!state.isEnded()) {
                reclaim(looks);
            }
        } finally {
            state.lock.unlock();
        }
    }

    /** As {@link Sweeper.Swept#receiveMessages}. */
    boolean receiveMessages() {
        boolean unread;
        List<Long> owed;
        state.lock.lock();
        try {
            unread = !state.isEnded() && talk.read();
            owed = state.isEnded() ? null : talk.shortage().takeEnd();
        } finally {
            state.lock.unlock();
        }
        // After a shortage the delayed rings are made up for.
        if (owed != null) {
            wakeAll();
            owed.forEach(doorbells::ringLate);
        }
        return unread;
    }

    private void sweepRings() {
        state.lock.lock();
        try {
            if (!state.isEnded()) {
                wide.removeIf(RingLender.WideSender::leaveIfIdle);
                talk.sweep();
                endIfUnused();
                sweepWhileNeeded(false);
            }
        } finally {
            state.lock.unlock();
        }
    }

    /** Wakes every thread that waits for a connection of the link. The caller does not hold the link's lock. */
    void wakeAll() {
        List<RingLink.End> all;
        state.lock.lock();
        try {
            all = sockets.all();
        } finally {
            state.lock.unlock();
        }
        all.forEach(RingLink.End::wake);
    }
}
