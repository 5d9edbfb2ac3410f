// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.protocol.ReadySetDescriptor;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One side of a link as it names ready sockets to the other side's pollers, in memory ({@link ReadySetDescriptor}): a
 * poller that is awake costs no system call. Thread safe, except what says otherwise.
 */
public final class ReadyWriter {
    /** What has become of a message. */
    public enum Told {
        /** The poller reads it before it sleeps, or was woken already. */
        TOLD,
        /** The poller has it to read, and its bell has to be rung. */
        WRITTEN,
        /** The poller reads no ready ring: its bell has to be rung. */
        NOT
    }

    private final LinkMemory own;
    private final LinkMemory peer;

    /**
     * By bell, whose ready ring is open, the STATE of the sleep that its bell was last rung in; null for other bells. Replaced
     * when it grows, under the link's lock; its elements are for any thread.
     */
    private volatile AtomicLong[] rungIn = {};

    /**
     * Writes the ready rings of the peer's bells.
     *
     * @param own has the rings
     * @param peer has the pollers
     */
    public ReadyWriter(LinkMemory own, LinkMemory peer) {
        this.own = own;
        this.peer = peer;
    }

    /**
     * The pages of a bell's ready ring, and of its poller, are there. Guarded by the link's lock.
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
     * Tells a poller that a socket may be ready. The caller has published what made it so, and fenced.
     *
     * @param armWord of the socket, not 0
     * @return whether its bell has to be rung
     * @throws IllegalStateException if the memory was unmapped
     */
    public Told tell(long armWord) {
        int bell = PeerArmWord.bell(armWord);
        AtomicLong rung = rungIn(bell);
        if (rung == null || ReadySetDescriptor.stateOf(word(bell)) == ReadySetDescriptor.UNREAD) {
            return Told.NOT;
        }
        put(bell, PeerArmWord.cookie(armWord));
        // The poller says that it sleeps, fences, and reads the ring: either it reads this entry, or we see it sleep.
        VarHandle.fullFence();
        long state = word(bell);
        boolean reads = ReadySetDescriptor.stateOf(state) == ReadySetDescriptor.AWAKE
                || (ReadySetDescriptor.stateOf(state) == ReadySetDescriptor.ASLEEP && rung.getAcquire() == state);
        return reads ? Told.TOLD : Told.WRITTEN;
    }

    /**
     * The doorbell of a poller that did not read its ready ring was rung. If it reads by now, it may not receive on its
     * doorbell any more, so it is told in memory, too.
     *
     * @param armWord names the bell
     */
    public void tellRung(long armWord) {
        // The poller says that it reads the ring, fences, and hears its bell once more: either it hears that ring, or
        // we see it.
        VarHandle.fullFence();
        if (ReadySetDescriptor.stateOf(state(armWord)) != ReadySetDescriptor.UNREAD) {
            put(PeerArmWord.bell(armWord), PeerArmWord.cookie(armWord));
        }
    }

    /**
     * As {@link #tellRung}, when the ring was for several sockets.
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
     * What a poller says of itself, to be passed to {@link #rung} after its bell was rung.
     *
     * @param armWord names the bell
     * @return {@link ReadySetDescriptor#UNREAD} also for a bell without a ready ring
     */
    public long state(long armWord) {
        int bell = PeerArmWord.bell(armWord);
        return rungIn(bell) == null ? ReadySetDescriptor.UNREAD : word(bell);
    }

    /**
     * A bell was rung after its poller was in a state, and has that ring to receive: one is enough for a sleep.
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
            // A stranger's word: a wrong one costs the stranger's entries.
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
