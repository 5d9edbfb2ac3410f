// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.wait.PeerSource;
import java.lang.invoke.VarHandle;

/**
 * This end of a connection as its peer and its link see it: what it says of itself in its STATE, up to CLOSED, and what it
 * keeps after that until the peer has closed too. Thread safe.
 */
final class ConnectionEnd implements RingLink.End {
    private final PeerSource socket;
    private final PeerSlot slot;
    private final PeerSender sender;

    /** Of this side's STATE; guarded by this object's monitor. */
    private int flags = LinkMemoryDescriptor.OPEN;

    private volatile boolean closed;

    /** How the peer broke the protocol; null while it does not. */
    private volatile PdException violation;

    /**
     * An end whose slot this side has set up.
     *
     * @param socket what threads wait for, and what the end is called in the log
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

    /** Throws unless the end is open, and its peer keeps to the protocol. */
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
     * A call has failed. A peer that breaks the protocol is not believed again on this connection, and is told that it is
     * reset.
     *
     * @return the failure, to be thrown
     */
    PdException failed(PdException e) {
        if (e.errno() == Errno.EPROTO && violation == null) {
            violation = e;
            if (slot.link.whyGivenUp() == null) {
                slot.link.suspect(socket + ": " + e.getMessage());
            }
            say(LinkMemoryDescriptor.RESET);
            wake();
        }
        return e;
    }

    /** Memory went under a call: this side closed the socket, or else the peer took back a ring that is in use. */
    PdException unmapped(String call) {
        requireOpen(call);
        return new PdException(Errno.EPROTO, "the peer took back a ring in use");
    }

    /** Adds flags to this side's STATE, and rings for all that sleep at the other end. Nothing follows CLOSED. */
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

    /** Begins the close. False if it has begun already. */
    synchronized boolean beginClose() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    /** Ends the close: the peer finds the end of the stream, or a reset. */
    void close(boolean reset) {
        if (reset && sender.holdsUpItsEnd()) {
            takeBackEnd();
        }
        say(LinkMemoryDescriptor.CLOSED | (reset ? LinkMemoryDescriptor.RESET : LinkMemoryDescriptor.FIN));
        slot.link.closed(this);
    }

    /** The next flags that the peer sees say nothing of an end that it has not come to. */
    private synchronized void takeBackEnd() {
        flags &= ~LinkMemoryDescriptor.FIN;
    }

    @Override
    public void wake() {
        socket.wakeWatchers();
    }

    @Override
    public boolean release() {
        // A peer that took part, and whose slot is another connection's by now, has closed.
        boolean met = slot.isMet();
        int peers = slot.peerFlags();
        boolean over = slot.link.isBroken() || (peers & LinkMemoryDescriptor.CLOSED) != 0 || (met && peers == 0);
        if (over || sender.isConsumed()) {
            sender.release();
        }
        return over;
    }
}
