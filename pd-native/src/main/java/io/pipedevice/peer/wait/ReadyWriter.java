// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.protocol.ReadySetDescriptor;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names ready sockets to the pollers of the other side of a link, in memory ({@link ReadySetDescriptor}). An awake
 * poller then costs no system call. Thread safe, except where noted.
 */
public final class ReadyWriter {
    /** The result of {@link #announce}. */
    public enum Announcement {
        /** The ready ring was written. The poller reads it before it sleeps, or was woken already. */
        ENOUGH,
        /** The ready ring was written, and the poller's bell has to be rung. */
        WRITTEN,
        /** The poller reads no ready ring, so that its bell has to be rung. */
        NONE
    }

    private final LinkMemory own;
    private final LinkMemory peer;

    /**
     * For each bell with an open ready ring, the STATE that its poller had at the last ring; null for other bells.
     * Replaced when it grows, under the link's lock; any thread uses the elements.
     */
    private volatile AtomicLong[] rungIn = {};

    /**
     * Creates a writer of the ready rings of the peer's bells.
     *
     * @param own the memory with the rings
     * @param peer the memory with the pollers
     */
    public ReadyWriter(LinkMemory own, LinkMemory peer) {
        this.own = own;
        this.peer = peer;
    }

    /**
     * Opens the ready ring of a bell. The pages of the ring and of the poller are allocated. Guarded by the link's
     * lock.
     *
     * @param bell its number
     */
    public void open(int bell) {
        AtomicLong[] more = Arrays.copyOf(rungIn, Math.max(rungIn.length, bell + 1));
        more[bell] = new AtomicLong();
        rungIn = more;
        own.setRelease(ReadySetDescriptor.ringer(bell) + ReadySetDescriptor.OPEN_OFFSET, 1);
    }

    /**
     * Announces to a poller that a socket may be ready. The caller has published the change, and fenced.
     *
     * @param armWord of the socket, not 0
     * @return whether its bell has to be rung
     * @throws IllegalStateException if the memory was unmapped
     */
    public Announcement announce(long armWord) {
        int bell = PeerArmWord.bell(armWord);
        AtomicLong rung = rungIn(bell);
        if (rung == null || ReadySetDescriptor.stateOf(word(bell)) == ReadySetDescriptor.UNREAD) {
            return Announcement.NONE;
        }
        put(bell, PeerArmWord.cookie(armWord));
        // The poller stores ASLEEP, fences, and reads the ring: either it reads this entry, or this thread sees ASLEEP.
        VarHandle.fullFence();
        long state = word(bell);
        boolean reads = ReadySetDescriptor.stateOf(state) == ReadySetDescriptor.AWAKE
                || (ReadySetDescriptor.stateOf(state) == ReadySetDescriptor.ASLEEP && rung.getAcquire() == state);
        return reads ? Announcement.ENOUGH : Announcement.WRITTEN;
    }

    /**
     * Completes the ring of a poller that did not read its ready ring. If it reads the ring by now, it may not drain
     * its bell any more, so that this writes an entry too.
     *
     * @param armWord names the bell
     */
    public void announceRung(long armWord) {
        // The poller stores AWAKE, fences, and drains its bell once more: either it receives that ring, or this thread
        // sees AWAKE.
        VarHandle.fullFence();
        if (ReadySetDescriptor.stateOf(state(armWord)) != ReadySetDescriptor.UNREAD) {
            put(PeerArmWord.bell(armWord), PeerArmWord.cookie(armWord));
        }
    }

    /**
     * As {@link #announceRung}, after a ring for several sockets.
     *
     * @param armWord names the bell
     */
    public void loseRung(long armWord) {
        VarHandle.fullFence();
        if (ReadySetDescriptor.stateOf(state(armWord)) != ReadySetDescriptor.UNREAD) {
            lose(PeerArmWord.bell(armWord));
        }
    }

    /**
     * The STATE of a poller, to pass to {@link #rung} after its bell was rung.
     *
     * @param armWord names the bell
     * @return {@link ReadySetDescriptor#UNREAD} also for a bell without a ready ring
     */
    public long state(long armWord) {
        int bell = PeerArmWord.bell(armWord);
        return rungIn(bell) == null ? ReadySetDescriptor.UNREAD : word(bell);
    }

    /**
     * Records that a bell was rung, after its poller was in the given state. The poller has yet to receive that ring,
     * and one is enough for each sleep.
     *
     * @param armWord names the bell
     * @param state as {@link #state} returned it
     */
    public void rung(long armWord, long state) {
        AtomicLong rung = rungIn(PeerArmWord.bell(armWord));
        if (rung != null) {
            rung.setRelease(state);
        }
    }

    private AtomicLong rungIn(int bell) {
        AtomicLong[] known = rungIn;
        return bell >= 0 && bell < known.length ? known[bell] : null;
    }

    private long word(int bell) {
        return peer.getAcquire(ReadySetDescriptor.poller(bell) + ReadySetDescriptor.STATE_OFFSET);
    }

    private void put(int bell, int cookie) {
        int heard = ReadySetDescriptor.poller(bell) + ReadySetDescriptor.HEARD_OFFSET;
        int ringer = ReadySetDescriptor.ringer(bell);
        int tail = ringer + ReadySetDescriptor.TAIL_OFFSET;
        long position;
        do {
            position = own.getAcquire(tail);
            // HEARD is the peer's word: if it is wrong, only the peer's own entries are lost.
            if (Long.compareUnsigned(position - peer.getAcquire(heard), ReadySetDescriptor.ENTRIES) >= 0) {
                lose(bell);
                return;
            }
        } while (!own.compareAndSet(tail, position, position + 1));
        own.setRelease(ReadySetDescriptor.entry(bell, position), ReadySetDescriptor.entryWord(position, cookie));
    }

    private void lose(int bell) {
        own.increment(ReadySetDescriptor.ringer(bell) + ReadySetDescriptor.LOST_OFFSET);
    }
}
