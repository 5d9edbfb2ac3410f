// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.ByteSource;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.MemoryFaultException;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.wait.PeerWait;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * A connection between two processes that read each other's memory (peer placement). Each side writes into a ring of
 * its own, which the other side maps read-only. The reader copies the bytes straight into its program's buffer, or
 * hands them out in place; bytes in place may change if the peer breaks the rules.
 *
 * <p>One thread at a time reads, and one writes and shuts the output down. The socket may be closed when no thread is
 * inside a call; {@link #endWaits} makes waiting threads leave. The owner, which connected or accepted it, closes it.
 * After a breach of the protocol by the peer, calls on this connection alone fail with {@link PdException} EPROTO.
 */
public final class PeerSocket extends SlotSource implements PdConnection {
    private final InetSocketAddress local;
    private final InetSocketAddress peer;
    private final PeerAbsence absence;
    private final PeerSender sender;
    private final RingGrowth growth;
    private final PeerReceiver receiver;
    private final ConnectionEnd end;
    private final PeerReadiness readiness;

    private final PeerWait readWait;
    private final PeerWait writeWait;
    private final UnreadWrites unread = new UnreadWrites();

    /** The calls that copy nothing; null before the first. Set under this object's monitor. */
    private volatile PeerInPlace inPlace;

    /** The reservation of this end's address, to be closed last; null if another object keeps it. */
    private volatile Closeable port;

    private volatile boolean outputShut;

    /**
     * A connection whose slot this side has set up.
     *
     * @param link carries the connection
     * @param slot number of the slot
     * @param generation of the slot
     * @param local address of this end
     * @param peer address of the other end
     * @param limits sizes of rings
     */
    public PeerSocket(
            RingLink link,
            int slot,
            int generation,
            InetSocketAddress local,
            InetSocketAddress peer,
            RingLimits limits) {
        super(new PeerSlot(link, slot, generation));
        this.local = local;
        this.peer = peer;
        this.absence = new PeerAbsence(this.slot);
        this.receiver = new PeerReceiver(this.slot, absence);
        this.sender = new PeerSender(this.slot, absence, receiver, limits);
        this.growth = sender.growth();
        end = new ConnectionEnd(this, this.slot, sender);
        growth.wakes(end);
        readiness = new PeerReadiness(this.slot, absence, sender, receiver, end);
        // Last: the waits ask for the cost of a wake-up by this link's peer.
        readWait = new PeerWait(this, PdEpoll.IN);
        writeWait = new PeerWait(this, PdEpoll.OUT);
    }

    RingLink link() {
        return slot.link;
    }

    /**
     * This end as the link knows it.
     *
     * @return the same object at each call
     */
    public ConnectionEnd end() {
        return end;
    }

    int slot() {
        return slot.number;
    }

    int generation() {
        return slot.generation;
    }

    /** The caller has seen that the peer has set up its side. */
    public void met() {
        slot.met();
    }

    @Override
    public int read(ByteBuffer target) throws PdException {
        end.requireUsable("read");
        receiver.requireReleased();
        try {
            return receiver.read(target);
        } catch (IllegalStateException e) {
            if (!MemorySegment.ofBuffer(target).scope().isAlive()) {
                // The program has closed its own buffer's memory; the peer is not at fault.
                throw e;
            }
            throw end.failed(end.unmapped("read"));
        } catch (MemoryFaultException e) {
            throw PdException.saying(Errno.EFAULT, e.getMessage());
        } catch (PdException e) {
            throw end.failed(e);
        }
    }

    @Override
    public int write(ByteBuffer source) throws PdException {
        requireOutput();
        try {
            return sender.write(source);
        } catch (MemoryFaultException e) {
            throw PdException.saying(Errno.EFAULT, e.getMessage());
        } catch (PdException e) {
            throw end.failed(e);
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws PdException {
        requireOutput();
        try {
            return sender.write(sources, offset, length);
        } catch (MemoryFaultException e) {
            throw PdException.saying(Errno.EFAULT, e.getMessage());
        } catch (PdException e) {
            throw end.failed(e);
        }
    }

    @Override
    public long write(ByteSource source, long from, long most) throws PdException {
        requireOutput();
        try {
            return sender.write(source, from, most);
        } catch (PdException e) {
            throw end.failed(e);
        }
    }

    @Override
    public void takeUrgent(boolean inline) {
        receiver.takeUrgent(inline);
        end.takeUrgent(inline);
    }

    @Override
    public boolean peerTakesUrgent() {
        return (slot.metFlags() & LinkMemoryDescriptor.INLINE) != 0;
    }

    @Override
    public void offerUrgent(byte value) throws PdException {
        requireOutput();
        try {
            sender.offerUrgent(value);
        } catch (PdException e) {
            throw end.failed(e);
        }
    }

    private void requireOutput() throws PdException {
        end.requireUsable("write");
        if (outputShut) {
            int why = absence.whyGone();
            throw new PdException(why == 0 ? Errno.EPIPE : why, "");
        }
    }

    private PeerInPlace inPlace() {
        PeerInPlace calls = inPlace;
        return calls == null ? beginInPlace() : calls;
    }

    private synchronized PeerInPlace beginInPlace() {
        if (inPlace == null) {
            inPlace = new PeerInPlace(this, end, slot, absence, sender, receiver);
            if (!end.isOpen()) {
                inPlace.close();
            }
        }
        return inPlace;
    }

    @Override
    public boolean malloc(int size, PdBuffer into) throws PdException {
        return inPlace().malloc(size, into);
    }

    @Override
    public boolean malloc(int size, PdBuffer into, long timeoutNanos) throws PdException {
        return inPlace().malloc(size, into, timeoutNanos);
    }

    @Override
    public int send(PdBuffer buffer, int offset, int length) throws PdException {
        return inPlace().send(buffer, offset, length);
    }

    @Override
    public int send(PdBuffer buffer, int offset, int length, long timeoutNanos) throws PdException {
        return inPlace().send(buffer, offset, length, timeoutNanos);
    }

    @Override
    public boolean bufRefresh(PdBuffer buffer) throws PdException {
        return inPlace().isReusable(buffer);
    }

    @Override
    public void free(PdBuffer buffer) {
        inPlace().free(buffer);
    }

    @Override
    public int recv(int maxLength, PdBuffer into) throws PdException {
        return inPlace().recv(maxLength, into);
    }

    @Override
    public int recv(int maxLength, PdBuffer into, long timeoutNanos) throws PdException {
        return inPlace().recv(maxLength, into, timeoutNanos);
    }

    @Override
    public void recvDone(int length) throws PdException {
        inPlace().recvDone(length);
    }

    @Override
    public boolean awaitReadable(long timeoutNanos) throws PdException {
        return readWait.await(timeoutNanos);
    }

    @Override
    public boolean awaitWritable(long timeoutNanos) throws PdException {
        if (!growth.isPossible()) {
            return writeWait.await(timeoutNanos);
        }
        long first = Math.min(timeoutNanos, UnreadWrites.TURN_NS);
        if (writeWait.await(first)) {
            return true;
        }
        long left = without(timeoutNanos, first);
        long turns = Math.min(left, unread.turns(System.nanoTime()));
        if (turns > 0 && writeWait.await(turns)) {
            return true;
        }
        return growth.grant() || writeWait.await(without(left, turns));
    }

    private static long without(long timeoutNanos, long waited) {
        return timeoutNanos == Long.MAX_VALUE ? timeoutNanos : timeoutNanos - waited;
    }

    @Override
    public boolean makesRoom() {
        try {
            return !growth.isReadFast() && growth.grant();
        } catch (IllegalStateException e) {
            // The link has ended: the next write fails.
            return false;
        }
    }

    @Override
    protected boolean grantsRoom() {
        return growth.grant();
    }

    @Override
    public int available() throws PdException {
        end.requireUsable("available");
        try {
            return receiver.available();
        } catch (IllegalStateException e) {
            throw end.failed(end.unmapped("available"));
        } catch (PdException e) {
            throw end.failed(e);
        }
    }

    @Override
    public void shutdownInput() {
        receiver.shut();
        wakeWatchers();
        end.say(LinkMemoryDescriptor.DEAF);
    }

    boolean isOutputShut() {
        return outputShut;
    }

    /**
     * Bounds the rings that this side sends from, as SO_SNDBUF does. Any thread.
     *
     * @param wanted in bytes, any value; a ring that is larger already stays as it is
     */
    public void sendSize(int wanted) {
        growth.bound(wanted);
    }

    /**
     * Keeps the reservation of this end's address until the socket is closed.
     *
     * @param reservation closed with the socket
     */
    public void keep(Closeable reservation) {
        port = reservation;
    }

    @Override
    public void stopWrites() {
        outputShut = true;
        wakeWatchers();
    }

    @Override
    public void shutdownOutput() throws PdException {
        end.requireUsable("shutdownOutput");
        stopWrites();
        end.say(LinkMemoryDescriptor.FIN);
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
        if (!end.beginClose()) {
            return;
        }
        endWaits();
        sender.closed(end);
        PeerInPlace calls = inPlace;
        if (calls != null) {
            calls.close();
        }
        receiver.publishAll();
        end.close(drop || end.isViolated() || receiver.isUnread());
        releasePort();
    }

    private void releasePort() {
        Closeable reservation = port;
        if (reservation != null) {
            try {
                reservation.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public boolean isOpen() {
        return end.isOpen();
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
    public int readiness(int wanted) {
        return readiness.of(wanted, outputShut);
    }

    @Override
    public String toString() {
        return "PeerSocket{" + slot.number + ' ' + local + " -> " + peer + (end.isOpen() ? "" : ", closed") + '}';
    }
}
