// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.DoorbellMessage;
import io.pipedevice.linux.DoorbellMessage.Sent;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.stream.RingLink;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.ReadyReader;
import io.pipedevice.peer.wait.ReadyWriter;
import java.lang.invoke.VarHandle;

/** Announces this side's bells to the peer of a link, and rings the peer's bells. Thread safe. */
final class LinkDoorbells {
    private final LinkState state;
    private final LinkTalk talk;
    private final LinkReadySets readySets;
    private final LinkMemory own;

    /** Guarded by the link's lock. */
    private long overflows;

    LinkDoorbells(LinkState state, LinkTalk talk, LinkReadySets readySets, LinkMemory own) {
        this.state = state;
        this.talk = talk;
        this.readySets = readySets;
        this.own = own;
    }

    /** The number of a bell of this side, if the peer knows it; takes no lock. */
    int knownNumber(Bell bell) {
        return state.isUsable() ? talk.knownNumber(bell) : RingLink.NO_BELL;
    }

    /** As {@link RingLink#numberOf}. */
    int numberOf(Bell bell) {
        int known = knownNumber(bell);
        if (known != RingLink.NO_BELL) {
            return known;
        }
        state.lock.lock();
        try {
            return state.isUsable() ? talk.numberOf(bell) : RingLink.NO_BELL;
        } finally {
            state.lock.unlock();
        }
    }

    /** As {@link RingLink#readyReader}. */
    ReadyReader readyReader(Bell bell) {
        if (!state.lock.tryLock()) {
            return null;
        }
        try {
            int number = knownNumber(bell);
            return number == RingLink.NO_BELL ? null : readySets.reader(number);
        } finally {
            state.lock.unlock();
        }
    }

    /** As {@link RingLink#ring}; takes the lock only for an unknown bell, and for a full one. */
    void ring(long armWord, ReadyWriter.Announcement announcement) {
        if (PeerArmWord.isInSlot(armWord)) {
            // A thread that sleeps in this way has seen what this side has stored in the slot before.
            return;
        }
        int number = PeerArmWord.bell(armWord);
        UnixSocket bell = talk.knownBell(number);
        Sent sent = bell == null ? Sent.GONE : ring(bell, armWord);
        if (sent == Sent.GONE) {
            UnixSocket replaced = learn(armWord, bell);
            if (replaced == null || replaced == bell) {
                // The owner is gone, the word names no bell, or the bell is rung at the end of a shortage.
                return;
            }
            bell = replaced;
            sent = ring(bell, armWord);
        }
        if (sent == Sent.FULL) {
            overflowed();
            VarHandle.fullFence();
            ring(bell, armWord);
        }
        if (announcement == ReadyWriter.Announcement.NONE) {
            readySets.announceRung(armWord);
        }
    }

    private Sent ring(UnixSocket bell, long armWord) {
        long poller = readySets.stateOfPoller(armWord);
        Sent sent = DoorbellMessage.send(bell.fd(), PeerArmWord.cookie(armWord));
        if (sent == Sent.SENT) {
            readySets.rung(armWord, poller);
        }
        return sent;
    }

    /**
     * Rings late, after a shortage of descriptors, and perhaps for several sockets. The ring has no cookie, so that the
     * bell's owner rescans every socket.
     */
    void ringLate(long armWord) {
        UnixSocket bell = learn(armWord, null);
        if (bell != null) {
            overflowed();
            VarHandle.fullFence();
            DoorbellMessage.send(bell.fd(), DoorbellMessage.NO_COOKIE);
            readySets.loseRung(armWord);
        }
    }

    /** Counts a bell of the peer that was full: when its owner sees the count, it rescans every socket. */
    private void overflowed() {
        state.lock.lock();
        try {
            if (!state.isEnded()) {
                own.setRelease(LinkMemoryDescriptor.OVERFLOW_OFFSET, ++overflows);
            }
        } finally {
            state.lock.unlock();
        }
    }

    /**
     * The bell of an arm word, if the peer has announced it meanwhile. If a shortage delays the announcement, the bell
     * is rung later.
     *
     * @param before the bell that had this number and is gone; null if there was none
     */
    private UnixSocket learn(long armWord, UnixSocket before) {
        int number = PeerArmWord.bell(armWord);
        talk.search(() -> {
            UnixSocket bell = talk.knownBell(number);
            return bell != null && bell != before;
        });
        state.lock.lock();
        try {
            if (state.isEnded()) {
                return null;
            }
            UnixSocket bell = talk.knownBell(number);
            if ((bell == null || bell == before) && talk.shortage().isPresent()) {
                talk.shortage().owe(armWord);
                talk.awaitDescriptors();
            }
            return bell;
        } finally {
            state.lock.unlock();
        }
    }
}
