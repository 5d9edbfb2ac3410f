// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.stream.RingLink;
import io.pipedevice.peer.wait.Bell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The bells that the two sides of a link know by numbers: this side's, as announced to the peer, and the peer's.
 * Guarded by the link's lock, except where noted.
 */
final class LinkBells {
    private static final int FIRST_CAPACITY = 8;

    private final DescriptorCloser closer;

    /** Replaced when it grows. Any thread may look up a bell that it keeps open, because its entry does not change. */
    private volatile Bell[] own = new Bell[FIRST_CAPACITY];

    /** Replaced when it changes, so that any thread can read it. */
    private volatile UnixSocket[] peers;

    LinkBells(Bell ownDispatcher, UnixSocket peerDispatcher, DescriptorCloser closer) {
        this.own[PeerArmWord.DISPATCHER] = ownDispatcher;
        this.peers = new UnixSocket[] {peerDispatcher};
        this.closer = closer;
    }

    /** The number of a bell of this side; {@link RingLink#NO_BELL} if it was not announced to the peer. Any thread. */
    int numberOf(Bell bell) {
        Bell[] known = own;
        for (int i = 0; i < known.length; i++) {
            if (known[i] == bell) {
                return i;
            }
        }
        return RingLink.NO_BELL;
    }

    /** A number for a bell that will be announced to the peer: a new one, or that of a closed bell. */
    int freeNumber() {
        for (int i = PeerArmWord.DISPATCHER + 1; i < own.length; i++) {
            if (own[i] == null || !own[i].ringingEnd().fd().isOpen()) {
                return i;
            }
        }
        return own.length < PeerArmWord.MAX_BELLS ? own.length : RingLink.NO_BELL;
    }

    /** Records that a bell was announced to the peer. */
    void announced(int number, Bell bell) {
        if (number >= own.length) {
            own = Arrays.copyOf(own, Math.min(own.length * 2, PeerArmWord.MAX_BELLS));
        }
        own[number] = bell;
    }

    /** A bell of the peer; null if the peer has not announced one with that number. Any thread. */
    UnixSocket ofPeer(int number) {
        UnixSocket[] known = peers;
        return number >= 0 && number < known.length ? known[number] : null;
    }

    /** Learns a bell that the peer announces. False if the message is invalid. */
    boolean learn(LinkMessage message) {
        int number = message.number();
        if (number <= PeerArmWord.DISPATCHER || number >= PeerArmWord.MAX_BELLS || message.descriptors() != 1) {
            return false;
        }
        UnixSocket bell;
        try {
            bell = LinkParts.bell(message.take(0), closer);
        } catch (LinuxException e) {
            return false;
        }
        UnixSocket[] known = Arrays.copyOf(peers, Math.max(peers.length, number + 1));
        if (known[number] != null) {
            closer.close(known[number]);
        }
        known[number] = bell;
        peers = known;
        return true;
    }

    /** The peer's bells, for the caller to close. No thread rings them any more. */
    List<UnixSocket> abandon() {
        List<UnixSocket> left = new ArrayList<>(Arrays.asList(peers));
        left.removeIf(bell -> bell == null);
        peers = new UnixSocket[0];
        own = new Bell[FIRST_CAPACITY];
        return left;
    }
}
