// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.LazyLogger;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.peer.protocol.ReadySetDescriptor;
import io.pipedevice.peer.stream.RingLink;
import io.pipedevice.peer.wait.ReadyReader;
import io.pipedevice.peer.wait.ReadyWriter;
import java.io.IOException;
import java.lang.System.Logger.Level;

/**
 * The ready sets of one side of a link, for its own pollers and for the other side's, with the pages that they need. A
 * bell without a ready set works too, by system calls. Guarded by the link's lock, except where noted.
 */
final class LinkReadySets {
    private static final LazyLogger LOG = new LazyLogger(LinkReadySets.class);

    private final RingLink link;
    private final LinkState state;
    private final LinkPages pages;
    private final ReadyWriter writer;

    LinkReadySets(RingLink link, LinkState state, LinkPages pages) {
        this.link = link;
        this.state = state;
        this.pages = pages;
        writer = new ReadyWriter(link.own(), link.peer());
    }

    /**
     * Allocates the memory of a poller before its bell is announced. False if the peer cannot have a ready ring for it.
     */
    boolean offer(int bell) {
        try {
            pages.poller(bell);
            return true;
        } catch (IOException e) {
            LOG.get().log(Level.DEBUG, "no memory for a ready set: {0}", e.getMessage());
            return false;
        }
    }

    /** The peer has announced the bell of a poller that has a ready set. */
    void accept(int bell) {
        try {
            if (pages.readyRingToWrite(bell)) {
                writer.open(bell);
            }
        } catch (IOException e) {
            LOG.get().log(Level.DEBUG, "no memory for a ready ring: {0}", e.getMessage());
        }
    }

    /** A reader of the ready ring of a poller's bell, for that poller; null while there is no ring. */
    ReadyReader reader(int bell) {
        try {
            return pages.readyRingToRead(bell) && isOpen(bell) ? new ReadyReader(link, bell) : null;
        } catch (IOException e) {
            LOG.get().log(Level.DEBUG, "no memory for a ready ring: {0}", e.getMessage());
            return null;
        }
    }

    private boolean isOpen(int bell) {
        return link.peer().getAcquire(ReadySetDescriptor.ringer(bell) + ReadySetDescriptor.OPEN_OFFSET) == 1;
    }

    /** As {@link RingLink#announce}. Any thread. */
    ReadyWriter.Announcement announce(long armWord) {
        try {
            return writer.announce(armWord);
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return ReadyWriter.Announcement.NONE;
        }
    }

    /** As {@link ReadyWriter#announceRung}. Any thread. */
    void announceRung(long armWord) {
        try {
            writer.announceRung(armWord);
        } catch (IllegalStateException e) {
            state.requireEnded(e);
        }
    }

    /** As {@link ReadyWriter#loseRung}. Any thread. */
    void loseRung(long armWord) {
        try {
            writer.loseRung(armWord);
        } catch (IllegalStateException e) {
            state.requireEnded(e);
        }
    }

    /** As {@link ReadyWriter#state}. Any thread. */
    long stateOfPoller(long armWord) {
        try {
            return writer.state(armWord);
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return ReadySetDescriptor.UNREAD;
        }
    }

    /** As {@link ReadyWriter#rung}. Any thread. */
    void rung(long armWord, long poller) {
        writer.rung(armWord, poller);
    }
}
