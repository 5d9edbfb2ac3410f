// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;

/**
 * The effects on both halves of a connection when the peer has left it. As with TCP, the first bytes that are sent to a
 * peer that has closed are lost, and answered by a reset. Any thread, except where noted.
 */
final class PeerAbsence {
    /** Flags of a peer that will not write any more. */
    static final int ENDED = LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.RESET | LinkMemoryDescriptor.CLOSED;

    /** Flags of a peer that neither reads nor writes any more, but has not closed. */
    private static final int SHUT = LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.DEAF;

    private final PeerSlot slot;

    /** Whether a write has succeeded after the peer's close, as the first one does. Set by the writing thread. */
    private volatile boolean wroteIntoVoid;

    /** Whether, over TCP, the reset would have overtaken the peer's end of stream. Set by the writing thread. */
    private volatile boolean endOvertaken;

    PeerAbsence(PeerSlot slot) {
        this.slot = slot;
    }

    /** Why sent bytes will not arrive: ECONNRESET or EPIPE; 0 if they may. */
    int whyGone() {
        return whyGone(slot.metFlags());
    }

    /** As {@link #whyGone()}, for flags that were just read. */
    int whyGone(int flags) {
        if ((flags & LinkMemoryDescriptor.RESET) != 0) {
            // A reset after the end of the stream is reported as the end, as over TCP.
            return (flags & LinkMemoryDescriptor.FIN) == 0 ? Errno.ECONNRESET : Errno.EPIPE;
        }
        boolean gone = (flags & LinkMemoryDescriptor.CLOSED) != 0 || (flags & SHUT) == SHUT || slot.link.isBroken();
        return !gone ? 0 : endOvertaken ? Errno.ECONNRESET : Errno.EPIPE;
    }

    /** Whether even an empty write fails because the peer with these flags is gone. */
    boolean isKnown(int flags) {
        return (flags & LinkMemoryDescriptor.RESET) != 0 || wroteIntoVoid || isCutOff();
    }

    /** Throws unless this is the first send to the gone peer with these flags. */
    void requireFirst(int flags) throws PdException {
        boolean reset = (flags & LinkMemoryDescriptor.RESET) != 0;
        if (!reset && slot.link.isBroken()) {
            slot.checkReset();
        }
        if (reset || wroteIntoVoid) {
            throw new PdException(whyGone(flags), "");
        }
        if (isCutOff()) {
            throw new PdException(Errno.ECONNRESET, "");
        }
    }

    /**
     * Whether the peer process has ended without closing the connection, and had not accepted it, or had not read all
     * sent bytes: the kernel would reset it.
     */
    private boolean isCutOff() {
        // In this order: once the link is broken, the peer writes no more.
        return slot.link.isBroken() && (slot.metFlags() & ENDED) == 0 && (!slot.isMet() || isSentUnread());
    }

    /**
     * Records that sent bytes were lost. Called by the writing thread.
     *
     * @param endHeldUp whether the peer's end of stream, over TCP, would still be on its way
     */
    void lost(boolean endHeldUp) {
        endOvertaken = endHeldUp;
        wroteIntoVoid = true;
    }

    /** Whether a send was answered by a reset. */
    boolean isAnsweredByReset() {
        return wroteIntoVoid;
    }

    /**
     * Whether reads from a peer with these flags fail. A reset after the end of the stream comes too late, as over TCP.
     */
    boolean resetsReads(int flags) {
        boolean reset = (flags & LinkMemoryDescriptor.RESET) != 0 && (flags & LinkMemoryDescriptor.FIN) == 0;
        return reset || endOvertaken;
    }

    /**
     * Checks a connection that was not closed before the peer process ended.
     *
     * @throws PdException ECONNRESET if the peer had not accepted it, or had not read all sent bytes, because the
     *     kernel would reset it too; or the reason why the link was given up
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
