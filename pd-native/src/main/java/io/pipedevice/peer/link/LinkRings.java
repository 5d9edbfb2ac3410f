// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.RingBudget;
import io.pipedevice.peer.ring.PeerRing;
import io.pipedevice.peer.ring.SendRing;
import io.pipedevice.peer.stream.RingLender;
import java.nio.ByteBuffer;

/** Lends the link's sockets the larger rings of both sides. Thread safe. */
final class LinkRings implements RingLender {
    /** How many closed sockets are checked when a larger ring is wanted: one of them may hold it. */
    private static final int LOOKS = 16;

    private final LinkState state;
    private final LinkTalk talk;
    private final LinkReclaimer reclaimer;

    LinkRings(LinkState state, LinkTalk talk, LinkReclaimer reclaimer) {
        this.state = state;
        this.talk = talk;
        this.reclaimer = reclaimer;
    }

    @Override
    public SendRing take(int size) {
        state.lock.lock();
        try {
            reclaimer.reclaim(LOOKS);
            return state.isUsable() ? talk.takeRing(size) : null;
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public SendRing take(int size, int least, RingBudget.Waiter waiter) {
        state.lock.lock();
        try {
            reclaimer.reclaim(LOOKS);
            return state.isUsable() ? talk.takeRing(size, least, waiter) : null;
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public void forget(RingBudget.Waiter waiter) {
        RingBudget.process().forget(waiter);
    }

    @Override
    public void widened(WideSender sender) {
        reclaimer.widened(sender);
    }

    @Override
    public void give(SendRing ring) {
        state.lock.lock();
        try {
            if (!state.isEnded()) {
                talk.giveRing(ring);
                reclaimer.sweepWhileNeeded(false);
            }
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public ByteBuffer ofPeer(int number, int size) throws PdException {
        talk.search(() -> talk.knowsRing(number));
        state.lock.lock();
        try {
            PeerRing ring = known(number, size);
            return ring == null ? null : ring.region.memory().asByteBuffer();
        } finally {
            state.lock.unlock();
        }
    }

    private PeerRing known(int number, int size) throws PdException {
        assert state.isLocked();
        if (state.isEnded()) {
            throw new PdException(Errno.EBADF, "the link has ended");
        }
        PeerRing ring = talk.peerRing(number, size);
        if (ring == null) {
            talk.awaitDescriptors();
        }
        reclaimer.sweepWhileNeeded(false);
        // The search has read messages, and one of them may have caused the link to be given up.
        String why = state.whyGivenUp();
        if (why != null) {
            throw new PdException(Errno.EPROTO, why);
        }
        return ring;
    }

    @Override
    public PeerRing hold(int number, int size) throws PdException {
        talk.search(() -> talk.knowsRing(number));
        state.lock.lock();
        try {
            PeerRing ring = known(number, size);
            if (ring == null) {
                // The stream has entered the ring before, so the ring was known then.
                throw new PdException(Errno.EPROTO, "the peer took back a ring in use");
            }
            ring.holders++;
            return ring;
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public int shortage() {
        return talk.shortage().present();
    }

    @Override
    public void release(PeerRing ring) {
        state.lock.lock();
        try {
            talk.release(ring);
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public void releaseReturnedRings() {
        state.lock.lock();
        try {
            if (!state.isEnded()) {
                reclaimer.sweepWhileNeeded(talk.releaseReturnedRings());
            }
        } finally {
            state.lock.unlock();
        }
    }
}
