// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import java.net.InetSocketAddress;

/** A connection between two processes that read each other's memory. */
public final class PeerSocket extends PeerSource implements AutoCloseable {
    private final RingLink link;
    private final int slot;
    private final int generation;
    private final InetSocketAddress local;
    private final InetSocketAddress peer;
    private volatile boolean closed;

    PeerSocket(RingLink link, int slot, int generation, InetSocketAddress local, InetSocketAddress peer) {
        this.link = link;
        this.slot = slot;
        this.generation = generation;
        this.local = local;
        this.peer = peer;
    }

    RingLink link() {
        return link;
    }

    int slot() {
        return slot;
    }

    int generation() {
        return generation;
    }

    /** This end. */
    InetSocketAddress localAddress() {
        return local;
    }

    /** The other end. */
    InetSocketAddress peerAddress() {
        return peer;
    }

    int peerFlags() {
        return LinkMemoryDescriptor.flags(
                link.peer().getAcquire(LinkMemoryDescriptor.slot(slot) + LinkMemoryDescriptor.STATE_OFFSET),
                generation);
    }

    boolean release() {
        return link.isBroken() || (peerFlags() & LinkMemoryDescriptor.CLOSED) != 0;
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    int readiness(int wanted) {
        return 0;
    }

    @Override
    boolean arm(int direction, Bell bell, long generation, int cookie) {
        return false;
    }

    @Override
    void disarm(int direction) {}

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            link.own()
                    .setRelease(
                            LinkMemoryDescriptor.slot(slot) + LinkMemoryDescriptor.STATE_OFFSET,
                            LinkMemoryDescriptor.state(
                                    generation, LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.CLOSED));
            link.closed(this);
        }
    }
}
