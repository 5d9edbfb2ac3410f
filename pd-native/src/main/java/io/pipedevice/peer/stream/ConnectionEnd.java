// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.wait.PeerSource;
import java.lang.invoke.VarHandle;

/**
 * This end of a connection as its peer and its link see it: its STATE, up to CLOSED, and the resources that it keeps
 * after that until the peer has closed too. Thread safe.
 */
final class ConnectionEnd implements RingLink.End {
    private final PeerSource socket;
    private final PeerSlot slot;
    private final PeerSender sender;

    /** The flags of this side's STATE; guarded by this object's monitor. */
    private int flags = LinkMemoryDescriptor.OPEN;

    private volatile boolean closed;

    /** How the peer broke the protocol; null while it has not. */
    private volatile PdException violation;

    /**
     * Creates an end whose slot this side has set up.
     *
     * @param socket for which threads wait, and which names the end in the log
     */
    ConnectionEnd(PeerSource socket, PeerSlot slot, PeerSender sender) {
        this.socket = socket;
        this.slot = slot;
        this.sender = sender;
    }

    @Override
    public int slot() {
        return slot.number;
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    void requireOpen(String call) {
        if (closed) {
            throw new IllegalStateException(call + " on a closed socket");
        }
    }

    /** Throws unless the end is open, and its peer has not broken the protocol. */
    void requireUsable(String call) throws PdException {
        requireOpen(call);
        if (violation != null) {
            throw violation;
        }
    }

    boolean isViolated() {
        return violation != null;
    }

    /**
     * Handles the failure of a call. If the peer broke the protocol, resets this connection, on which the peer is not
     * trusted again.
     *
     * @return the failure, for the caller to throw
     */
    PdException failed(PdException e) {
        if (e.errno() == Errno.EPROTO && violation == null) {
            violation = e;
            if (slot.link.whyGivenUp() == null) {
                slot.link.reportViolation(socket + ": " + e.getMessage());
            }
            say(LinkMemoryDescriptor.RESET);
            wake();
        }
        return e;
    }

    /**
     * The failure of a call whose memory was unmapped: by this side's close, or else because the peer took back a ring.
     */
    PdException unmapped(String call) {
        requireOpen(call);
        return new PdException(Errno.EPROTO, "the peer took back a ring in use");
    }

    /**
     * Adds flags to this side's STATE, and rings for the threads that sleep at the other end. No effect after CLOSED.
     */
    synchronized void say(int more) {
        if ((flags & LinkMemoryDescriptor.CLOSED) != 0) {
            return;
        }
        flags |= more;
        slot.flags(flags);
        VarHandle.fullFence();
        slot.ringFor(LinkMemoryDescriptor.READ_ARM_OFFSET);
        slot.ringFor(LinkMemoryDescriptor.WRITE_ARM_OFFSET);
    }

    /** Sets or clears INLINE, for which no thread of the peer waits. No effect after CLOSED. */
    synchronized void takeUrgent(boolean inline) {
        if ((flags & LinkMemoryDescriptor.CLOSED) == 0) {
            flags = inline ? flags | LinkMemoryDescriptor.INLINE : flags & ~LinkMemoryDescriptor.INLINE;
            slot.flags(flags);
        }
    }

    /** Begins the close. False if it had begun already. */
    synchronized boolean beginClose() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    /** Completes the close: the peer sees the end of the stream, or a reset. */
    void close(boolean reset) {
        if (reset && sender.holdsUpItsEnd()) {
            takeBackEnd();
        }
        say(LinkMemoryDescriptor.CLOSED | (reset ? LinkMemoryDescriptor.RESET : LinkMemoryDescriptor.FIN));
        slot.link.closed(this);
    }

    /** Removes FIN from the next flags: the peer has not reached that end, so that it sees the reset instead. */
    private synchronized void takeBackEnd() {
        flags &= ~LinkMemoryDescriptor.FIN;
    }

    @Override
    public void wake() {
        socket.wakeWatchers();
    }

    @Override
    public boolean release() {
        // If the peer had opened the connection and its slot has another one by now, it has closed.
        boolean met = slot.isMet();
        int peers = slot.peerFlags();
        boolean over = slot.link.isBroken() || (peers & LinkMemoryDescriptor.CLOSED) != 0 || (met && peers == 0);
        if (over || sender.isConsumed()) {
            sender.release();
        }
        return over;
    }
}
