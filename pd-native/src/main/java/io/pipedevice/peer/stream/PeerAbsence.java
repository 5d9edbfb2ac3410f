// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;

/**
 * What it means for the two halves of a connection that the peer takes no part in it any more. As with TCP, what is sent first
 * to a peer that has closed is lost, and answered by a reset. Any thread, except what says otherwise.
 */
final class PeerAbsence {
    /** Flags of a peer that sends nothing after what it has written. */
    static final int ENDED = LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.RESET | LinkMemoryDescriptor.CLOSED;

    /** Flags of a peer that neither reads nor writes any more, though it has not closed. */
    private static final int SHUT = LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.DEAF;

    private final PeerSlot slot;

    /** Whether a write was told nothing of the peer's close, as it was the first one. Set by the writing thread. */
    private volatile boolean wroteIntoVoid;

    /** Whether that was before the peer's end could have arrived, so that the reset was first. Set by the writing thread. */
    private volatile boolean endOvertaken;

    PeerAbsence(PeerSlot slot) {
        this.slot = slot;
    }

    /** Why nothing that is sent arrives: ECONNRESET, EPIPE, or 0 if it may. */
    int whyGone() {
        return whyGone(slot.metFlags());
    }

    /** The same for flags that were just read. */
    int whyGone(int flags) {
        if ((flags & LinkMemoryDescriptor.RESET) != 0) {
            // After the end of the stream a reset is told as the end, as over TCP.
            return (flags & LinkMemoryDescriptor.FIN) == 0 ? Errno.ECONNRESET : Errno.EPIPE;
        }
        boolean gone = (flags & LinkMemoryDescriptor.CLOSED) != 0 || (flags & SHUT) == SHUT || slot.link.isBroken();
        return !gone ? 0 : endOvertaken ? Errno.ECONNRESET : Errno.EPIPE;
    }

    /** Whether a write, even of nothing, is told that the peer with these flags is gone. */
    boolean isKnown(int flags) {
        return (flags & LinkMemoryDescriptor.RESET) != 0 || wroteIntoVoid;
    }

    /** Throws unless what is sent now, to a peer with these flags that is gone, is the first that is lost. */
    void requireFirst(int flags) throws PdException {
        boolean reset = (flags & LinkMemoryDescriptor.RESET) != 0;
        if (!reset && slot.link.isBroken()) {
            slot.checkReset();
        }
        if (reset || wroteIntoVoid) {
            throw new PdException(whyGone(flags), "");
        }
    }

    /**
     * Something was sent and lost. Belongs to the writing thread.
     *
     * @param endHeldUp whether the peer's end, over TCP, would still be on its way
     */
    void lost(boolean endHeldUp) {
        endOvertaken = endHeldUp;
        wroteIntoVoid = true;
    }

    /** Whether what was sent was answered by a reset. */
    boolean isAnsweredByReset() {
        return wroteIntoVoid;
    }

    /** Whether a read of a peer with these flags fails. After the end of the stream a reset comes too late, as over TCP. */
    boolean resetsReads(int flags) {
        boolean reset = (flags & LinkMemoryDescriptor.RESET) != 0 && (flags & LinkMemoryDescriptor.FIN) == 0;
        return reset || endOvertaken;
    }

    /**
     * The peer process is gone, and the connection was not closed.
     *
     * @throws PdException ECONNRESET if nobody had accepted it, or had not read all that was sent: the kernel resets it then;
     *     or why the link was given up
     */
    void checkEndOfLink() throws PdException {
        slot.checkReset();
        if (!slot.isMet() || isSentUnread()) {
            throw new PdException(Errno.ECONNRESET, "");
        }
    }

    private boolean isSentUnread() {
        return slot.ownWord(LinkMemoryDescriptor.TAIL_OFFSET) != slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET);
    }
}
