// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdStream;
import io.pipedevice.linux.Errno;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * A connection between two processes that read each other's memory (peer placement). What one side writes lies in a ring
 * of its own, which the other maps read-only and copies from, straight to where its program wants the bytes.
 *
 * <p>One thread at a time reads, and one writes and shuts the output down; close is for when no thread is inside, which
 * {@link #endWaits} brings about. Closed by whoever connected or accepted it. A peer that breaks the protocol is answered
 * with {@link PdException} EPROTO, on this connection alone.
 */
public final class PeerSocket extends PeerSource implements PdStream {
    private static final int ENDED =
            LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.RESET | LinkMemoryDescriptor.CLOSED;

    private final PeerSlot slot;
    private final InetSocketAddress local;
    private final InetSocketAddress peer;
    private final PeerSender sender;
    private final PeerReceiver receiver;
    private final PeerWait readWait = new PeerWait(this, PdEpoll.IN);
    private final PeerWait writeWait = new PeerWait(this, PdEpoll.OUT);

    /** Of this side's STATE; guarded by this object's monitor. */
    private int flags = LinkMemoryDescriptor.OPEN;

    private volatile boolean outputShut;
    private volatile boolean closed;

    /** A connection whose slot this side has set up. */
    PeerSocket(RingLink link, int slot, int generation, InetSocketAddress local, InetSocketAddress peer) {
        this(link, slot, generation, local, peer, PeerOptions.maxRing());
    }

    PeerSocket(RingLink link, int slot, int generation, InetSocketAddress local, InetSocketAddress peer, int maxRing) {
        this.slot = new PeerSlot(link, slot, generation);
        this.local = local;
        this.peer = peer;
        this.sender = new PeerSender(this.slot, maxRing);
        this.receiver = new PeerReceiver(this.slot, sender);
    }

    RingLink link() {
        return slot.link;
    }

    int slot() {
        return slot.number;
    }

    int generation() {
        return slot.generation;
    }

    @Override
    public int read(ByteBuffer target) throws PdException {
        requireOpen("read");
        try {
            return receiver.read(target);
        } catch (IllegalStateException e) {
            throw unmapped("read");
        }
    }

    /** Memory went under a call: this side closed the socket, or else the peer took back a ring that is in use. */
    private PdException unmapped(String call) {
        requireOpen(call);
        return new PdException(Errno.EPROTO, "the peer took back a ring in use");
    }

    @Override
    public int write(ByteBuffer source) throws PdException {
        requireOpen("write");
        if (outputShut) {
            throw sender.failure();
        }
        return sender.write(source);
    }

    @Override
    public boolean awaitReadable(long timeoutNanos) throws PdException {
        return readWait.await(timeoutNanos);
    }

    @Override
    public boolean awaitWritable(long timeoutNanos) throws PdException {
        return writeWait.await(timeoutNanos);
    }

    @Override
    public int available() throws PdException {
        requireOpen("available");
        try {
            return receiver.available();
        } catch (IllegalStateException e) {
            throw unmapped("available");
        }
    }

    private void requireOpen(String call) {
        if (closed) {
            throw new IllegalStateException(call + " on a closed socket");
        }
    }

    @Override
    public void shutdownInput() {
        receiver.shut();
        watchers.wake();
        say(LinkMemoryDescriptor.DEAF);
    }

    @Override
    public void stopWrites() {
        outputShut = true;
        watchers.wake();
    }

    @Override
    public void shutdownOutput() {
        requireOpen("shutdownOutput");
        stopWrites();
        say(LinkMemoryDescriptor.FIN);
    }

    /** Adds flags to this side's STATE, and rings for whoever sleeps at the other end. Nothing follows CLOSED. */
    private synchronized void say(int more) {
        if ((flags & LinkMemoryDescriptor.CLOSED) != 0) {
            return;
        }
        flags |= more;
        slot.flags(flags);
        VarHandle.fullFence();
        slot.ring(LinkMemoryDescriptor.READ_ARM_OFFSET);
        slot.ring(LinkMemoryDescriptor.WRITE_ARM_OFFSET);
    }

    @Override
    public void endWaits() {
        super.endWaits();
    }

    @Override
    public void close() {
        close(false);
    }

    @Override
    public void abort() {
        close(true);
    }

    private void close(boolean drop) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        endWaits();
        boolean reset = drop || receiver.isReadable();
        say(LinkMemoryDescriptor.CLOSED | (reset ? LinkMemoryDescriptor.RESET : LinkMemoryDescriptor.FIN));
        slot.link.closed(this);
    }

    /**
     * Gives back what a closed socket need not keep.
     *
     * @return whether the peer has closed too, so that the slot is free
     */
    boolean release() {
        // A peer that took part, and whose slot is another connection's by now, has closed.
        boolean met = slot.isMet();
        int flags = slot.peerFlags();
        boolean over = slot.link.isBroken() || (flags & LinkMemoryDescriptor.CLOSED) != 0 || (met && flags == 0);
        if (over || sender.isConsumed()) {
            sender.release();
        }
        return over;
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public InetSocketAddress peerAddress() {
        return peer;
    }

    @Override
    int readiness(int wanted) {
        int state = slot.isMet() ? slot.peerFlags() & ENDED : 0;
        int ready = 0;
        if ((state & LinkMemoryDescriptor.RESET) != 0) {
            ready = PdEpoll.IN | PdEpoll.OUT | PdEpoll.RDHUP | PdEpoll.ERR | PdEpoll.HUP;
        } else if (slot.link.isBroken()) {
            ready = PdEpoll.IN | PdEpoll.OUT | PdEpoll.RDHUP;
        } else if (state != 0) {
            ready = PdEpoll.IN | PdEpoll.RDHUP | (outputShut ? PdEpoll.HUP : 0);
            ready |= (state & LinkMemoryDescriptor.CLOSED) != 0 ? PdEpoll.OUT : 0;
        } else if (receiver.isShut()) {
            ready = PdEpoll.IN | PdEpoll.RDHUP;
        }
        if ((wanted & PdEpoll.IN) != 0 && receiver.isReadable()) {
            ready |= PdEpoll.IN;
        }
        if ((wanted & PdEpoll.OUT) != 0 && (outputShut || sender.isWritable())) {
            ready |= PdEpoll.OUT;
        }
        return ready & (wanted | PdEpoll.ERR | PdEpoll.HUP);
    }

    @Override
    boolean arm(int direction, Bell bell, long generation, int cookie) {
        int number = slot.link.numberOf(bell);
        if (number == RingLink.NO_BELL) {
            // A peer that is gone rings for nothing, and there is nothing to wait for.
            return slot.link.isBroken();
        }
        slot.ownWord(armOffset(direction), PeerArmWord.of(number, generation, cookie));
        return true;
    }

    @Override
    void disarm(int direction) {
        slot.ownWord(armOffset(direction), PeerArmWord.DISARMED);
    }

    @Override
    void forEachLink(Consumer<RingLink> visitor) {
        visitor.accept(slot.link);
    }

    private static int armOffset(int direction) {
        return direction == PdEpoll.IN ? LinkMemoryDescriptor.READ_ARM_OFFSET : LinkMemoryDescriptor.WRITE_ARM_OFFSET;
    }

    @Override
    public String toString() {
        return "PeerSocket{" + slot.number + ' ' + local + " -> " + peer + (closed ? ", closed" : "") + '}';
    }
}
