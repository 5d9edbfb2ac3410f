// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;

/** The readiness of a connection, from the words of both sides. Any thread. */
final class PeerReadiness {
    private final PeerSlot slot;
    private final PeerAbsence absence;
    private final PeerSender sender;
    private final PeerReceiver receiver;
    private final ConnectionEnd end;

    PeerReadiness(PeerSlot slot, PeerAbsence absence, PeerSender sender, PeerReceiver receiver, ConnectionEnd end) {
        this.slot = slot;
        this.absence = absence;
        this.sender = sender;
        this.receiver = receiver;
        this.end = end;
    }

    /**
     * Reads the readiness now.
     *
     * @param wanted {@link PdEpoll} bits
     * @param outputShut whether this side's output is shut down
     * @return bits of {@code wanted}, and ERR and HUP
     */
    int of(int wanted, boolean outputShut) {
        int state = slot.metFlags() & PeerAbsence.ENDED;
        boolean stuck = receiver.isStuck();
        int ready = 0;
        if ((state & LinkMemoryDescriptor.RESET) != 0 || end.isViolated() || absence.isAnsweredByReset()) {
            boolean unread = stuck && !end.isViolated();
            ready = unread ? PdEpoll.OUT : PdEpoll.IN | PdEpoll.OUT | PdEpoll.RDHUP | PdEpoll.ERR | PdEpoll.HUP;
        } else if (state != 0 || slot.link.isBroken() || receiver.isShut()) {
            ready = stuck ? 0 : PdEpoll.IN | PdEpoll.RDHUP | (outputShut ? PdEpoll.HUP : 0);
            ready |= (state & LinkMemoryDescriptor.CLOSED) != 0 || slot.link.isBroken() ? PdEpoll.OUT : 0;
        }
        if ((wanted & PdEpoll.IN) != 0 && !stuck && receiver.isUnread()) {
            ready |= PdEpoll.IN;
        }
        if ((wanted & PdEpoll.OUT) != 0 && (outputShut || sender.isWritable(end))) {
            ready |= PdEpoll.OUT;
        }
        return ready & (wanted | PdEpoll.ERR | PdEpoll.HUP);
    }
}
