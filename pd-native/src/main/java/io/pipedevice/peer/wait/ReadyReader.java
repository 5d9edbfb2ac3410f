// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.protocol.ReadySetDescriptor;
import java.util.Arrays;

/**
 * Reads the ready ring of one bell of this side, which the other side of a link writes ({@link ReadySetDescriptor}).
 * Used by the bell's poller. Every call throws an IllegalStateException when the link has ended.
 */
public final class ReadyReader {
    /** Receives the cookies of sources that were named as ready: hints from another process. */
    interface Sink {
        void ready(BellLink link, int cookie);
    }

    /**
     * The most entries by which HEARD lags behind. It is not updated more often because the writers read its cache
     * line, which each update takes from them.
     */
    private static final int MOST_BEHIND = 64;

    final BellLink link;
    private final LinkMemory own;
    private final LinkMemory peer;
    private final int bell;
    private final int poller;
    private final int ringer;

    /** Entries after {@link #heard} that were read, while an entry before them is claimed but not written yet. */
    private final boolean[] readAhead = new boolean[ReadySetDescriptor.ENTRIES];

    /** The number of the last sleep; continues the count of the previous poller. */
    private long sleeps;

    private long heard;
    private long published;
    private long lost;

    /**
     * Creates a reader of the ready ring of a bell.
     *
     * @param link whose peer writes the ring
     * @param bell its number
     */
    public ReadyReader(BellLink link, int bell) {
        this.link = link;
        this.bell = bell;
        own = link.own();
        peer = link.peer();
        poller = ReadySetDescriptor.poller(bell);
        ringer = ReadySetDescriptor.ringer(bell);
        sleeps = ReadySetDescriptor.sleep(own.getAcquire(poller + ReadySetDescriptor.STATE_OFFSET));
        // The position that the bell's previous poller had reached.
        heard = own.getAcquire(poller + ReadySetDescriptor.HEARD_OFFSET);
        published = heard;
        lost = peer.getAcquire(ringer + ReadySetDescriptor.LOST_OFFSET);
    }

    /** Announces that the poller will read the ring before it sleeps. */
    void awake() {
        state(ReadySetDescriptor.AWAKE);
    }

    /** Announces that the poller is about to sleep. Afterwards the poller fences, and reads the ring once more. */
    void asleep() {
        sleeps++;
        state(ReadySetDescriptor.ASLEEP);
    }

    private void state(long state) {
        own.setRelease(poller + ReadySetDescriptor.STATE_OFFSET, ReadySetDescriptor.state(state, sleeps));
    }

    /** Whether the next call of {@link #read} is likely to find an entry or a loss. */
    boolean hasEntry() {
        return ReadySetDescriptor.isEntry(peer.getAcquire(ReadySetDescriptor.entry(bell, heard)), heard)
                || peer.getAcquire(ringer + ReadySetDescriptor.LOST_OFFSET) != lost;
    }

    /**
     * Reads the entries that were written since the last call.
     *
     * @return false if entries were lost, so that any socket of the link may be ready
     */
    boolean read(Sink sink) {
        long tail = peer.getAcquire(ringer + ReadySetDescriptor.TAIL_OFFSET);
        boolean whole = Long.compareUnsigned(tail - heard, ReadySetDescriptor.ENTRIES) <= 0;
        if (tail != heard && whole) {
            read(tail, sink);
        } else if (!whole) {
            Arrays.fill(readAhead, false);
            heard = tail;
        }
        if (heard - published >= MOST_BEHIND || !whole) {
            publish();
        }
        long nowLost = peer.getAcquire(ringer + ReadySetDescriptor.LOST_OFFSET);
        whole &= nowLost == lost;
        lost = nowLost;
        return whole;
    }

    private void read(long tail, Sink sink) {
        boolean gap = false;
        for (long position = heard; position != tail; position++) {
            int index = (int) position & ReadySetDescriptor.ENTRIES - 1;
            boolean done = readAhead[index];
            if (!done) {
                long word = peer.getAcquire(ReadySetDescriptor.entry(bell, position));
                done = ReadySetDescriptor.isEntry(word, position);
                if (done) {
                    sink.ready(link, PeerArmWord.cookie(word));
                }
            }
            gap |= !done;
            readAhead[index] = gap && done;
            if (!gap) {
                heard = position + 1;
            }
        }
    }

    private void publish() {
        published = heard;
        own.setRelease(poller + ReadySetDescriptor.HEARD_OFFSET, heard);
    }

    /** Announces that the poller does not read the ring any more. Another one may continue with the bell. */
    void leave() {
        state(ReadySetDescriptor.UNREAD);
        publish();
    }
}
