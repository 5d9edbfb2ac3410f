// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.RingBudget;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.peer.protocol.OwnMemory;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.Dispatcher;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.ValueLayout;

/** The parts of a link, which a handshake gathers one by one. Used by one thread at a time. */
public final class LinkParts {
    private static final LazyLogger LOG = new LazyLogger(LinkParts.class);

    private final UnixSocket socket;

    /** The process at the other end: as the kernel says, or the driver that has introduced the two. */
    private final UnixSocket.Credentials peerCredentials;

    /** Closes descriptors that the peer could influence, on the peer's account. */
    private final Disposal.Account closer;

    private OwnMemory own;
    private SharedRegion peer;

    /** The inode number of the peer's memory. */
    private long peerInode;

    private Bell ownDispatcher;
    private UnixSocket peerDispatcher;

    /**
     * Takes over the socket of a handshake.
     *
     * @param socket connected to the peer
     * @param peerCredentials of the peer's process, not taken from the peer's own words
     * @param disposal closes the descriptors that the peer sends
     */
    public LinkParts(UnixSocket socket, UnixSocket.Credentials peerCredentials, Disposal disposal) {
        this.socket = socket;
        this.peerCredentials = peerCredentials;
        this.closer = disposal.account(peerCredentials.pid());
    }

    /**
     * The socket of the link.
     *
     * @return owned by the link
     */
    public UnixSocket socket() {
        return socket;
    }

    /**
     * The credentials of the peer's process.
     *
     * @return as given
     */
    public UnixSocket.Credentials peerCredentials() {
        return peerCredentials;
    }

    /**
     * Closes descriptors that the peer has sent or can use.
     *
     * @return the peer's account
     */
    public DescriptorCloser closer() {
        return closer;
    }

    SharedRegion own() {
        return own.region();
    }

    /** The memory of this side, whose pages are counted. */
    OwnMemory ownMemory() {
        return own;
    }

    SharedRegion peer() {
        return peer;
    }

    long peerInode() {
        return peerInode;
    }

    /** The bell of this side's dispatcher, which the handshake announces to the peer. */
    Bell ownDispatcher() {
        return ownDispatcher;
    }

    /** The bell of the peer's dispatcher, for this side to ring. */
    UnixSocket peerDispatcher() {
        return peerDispatcher;
    }

    /**
     * Creates the parts of this side: its memory, with its header, and the dispatcher's bell.
     *
     * @throws IOException if memory or descriptors are exhausted
     */
    public void createOwn() throws IOException {
        ownDispatcher = Dispatcher.bell();
        SharedRegion region = SharedRegion.create("pd-link", LinkPages.length(), false);
        own = new OwnMemory(region, RingBudget.process());
        own.allocateInBudget(0, LinkMemoryDescriptor.HEADER_LENGTH);
        region.memory().set(ValueLayout.JAVA_LONG, LinkMemoryDescriptor.MAGIC_OFFSET, LinkMemoryDescriptor.MAGIC);
        region.memory().set(ValueLayout.JAVA_INT, LinkMemoryDescriptor.VERSION_OFFSET, LinkMemoryDescriptor.VERSION);
    }

    /**
     * Sends HELLO or WELCOME, with the parts of this side.
     *
     * @param message is filled in
     * @param type of the message
     * @return false if there is no room in the socket
     * @throws LinuxException if the peer is gone
     */
    public boolean introduce(LinkMessage message, int type) throws LinuxException {
        SharedRegion region = own.region();
        Fd bell = ownDispatcher.ringingEnd().fd();
        return message.send(socket, type, 0, region.size(), region.fd(), bell);
    }

    /**
     * Takes the parts that came with HELLO or WELCOME, and checks them.
     *
     * @param message received from the peer
     * @throws IOException if they do not match the protocol, or memory is exhausted
     */
    public void takePeer(LinkMessage message) throws IOException {
        if (message.descriptors() != 2) {
            throw new IOException("expected two descriptors, got " + message.descriptors());
        }
        if (message.size() != LinkPages.length()) {
            throw new IOException("a memory of " + message.size() + " bytes instead of " + LinkPages.length());
        }
        peer = SharedRegion.attach(message.take(0), message.size(), closer::close);
        peerInode = Memory.status(peer.fd()).inode();
        peer.populateAllocated(0, Memory.wholePages(LinkMemoryDescriptor.HEADER_LENGTH));
        if (peer.memory().get(ValueLayout.JAVA_LONG, LinkMemoryDescriptor.MAGIC_OFFSET) != LinkMemoryDescriptor.MAGIC
                || peer.memory().get(ValueLayout.JAVA_INT, LinkMemoryDescriptor.VERSION_OFFSET)
                        != LinkMemoryDescriptor.VERSION) {
            throw new IOException("the memory has another magic number or version");
        }
        peerDispatcher = bell(message.take(1), closer);
    }

    /** A bell that the peer sent, checked to be a socket of the right type. */
    static UnixSocket bell(Fd fd, DescriptorCloser closer) throws LinuxException {
        try {
            return UnixSocket.own(UnixSocket.Type.SEQPACKET, fd);
        } catch (LinuxException e) {
            closer.close(fd);
            throw e;
        }
    }

    /**
     * Shuts the socket down; the watching threads of both sides see its end. Any thread; may be called after the close.
     */
    public void hangUp() {
        try {
            socket.shutdown(true, true);
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "the link''s socket is closed already: {0}", e.getMessage());
        }
    }

    /** Closes the parts that exist; those that the peer could influence, on another thread. */
    public void close() {
        if (own != null) {
            own.close();
        }
        if (peer != null) {
            peer.close();
        }
        if (peerDispatcher != null) {
            closer.close(peerDispatcher);
        }
        closer.close(socket);
    }
}
