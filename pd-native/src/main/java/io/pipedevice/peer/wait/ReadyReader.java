// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.protocol.ReadySetDescriptor;
import java.util.Arrays;

/**
 * The ready ring of one bell of this side, which the other side of a link writes ({@link ReadySetDescriptor}). Belongs to
 * the bell's poller. Every call throws an IllegalStateException when the link has ended.
 */
public final class ReadyReader {
    /** Gets what was named as ready: a hint from another process. */
    interface Sink {
        void ready(BellLink link, int cookie);
    }

    /** HEARD is behind by so many entries at most: the writers read its line, which a change takes from them. */
    private static final int MOST_BEHIND = 64;

    final BellLink link;
    private final LinkMemory own;
    private final LinkMemory peer;
    private final int bell;
    private final int poller;
    private final int ringer;

    /** Entries behind {@link #heard} that were read, where one before them is claimed and not written. */
    private final boolean[] readAhead = new boolean[ReadySetDescriptor.ENTRIES];

    /** Differs from one sleep to the next, also from those of the poller before this one. */
    private long sleeps;

    private long heard;
    private long published;
    private long lost;

    /**
     * Reads the ready ring of a bell.
     *
     * @param link its peer writes the ring
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
        // Where the bell's poller before this one has left it.
        heard = own.getAcquire(poller + ReadySetDescriptor.HEARD_OFFSET);
        published = heard;
        lost = peer.getAcquire(ringer + ReadySetDescriptor.LOST_OFFSET);
    }

    /** The poller reads the ring before it sleeps. */
    void awake() {
        state(ReadySetDescriptor.AWAKE);
    }

    /** The poller is going to sleep. It fences, and reads the ring once more. */
    void asleep() {
        sleeps++;
        state(ReadySetDescriptor.ASLEEP);
    }

    private void state(long state) {
        own.setRelease(poller + ReadySetDescriptor.STATE_OFFSET, ReadySetDescriptor.state(state, sleeps));
    }

    /** Whether the next call of {@link #read} is likely to find something. */
    boolean hasEntry() {
        return ReadySetDescriptor.isEntry(peer.getAcquire(ReadySetDescriptor.entry(bell, heard)), heard)
                || peer.getAcquire(ringer + ReadySetDescriptor.LOST_OFFSET) != lost;
    }

    /**
     * Reads what was written since the last call.
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

    /** The poller reads no more; another may go on with the bell. */
    void leave() {
        state(ReadySetDescriptor.UNREAD);
        publish();
    }
}
