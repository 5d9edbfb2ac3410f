// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.linux.UserIds;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.Dispatcher;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.ValueLayout;

/** What a handshake gathers, piece by piece, and a link is made of. Used by one thread at a time. */
public final class LinkParts {
    private static final LazyLogger LOG = new LazyLogger(LinkParts.class);

    private final Disposal disposal;
    private final UnixSocket socket;

    /** For what the peer had a hand in: its account, once the kernel has said who it is. */
    private Disposal.Account closer;

    private SharedRegion own;
    private SharedRegion peer;
    private Bell ownDispatcher;
    private UnixSocket peerDispatcher;
    private UnixSocket.Credentials peerCredentials;

    /**
     * Takes over the socket of a handshake.
     *
     * @param socket connected to the peer
     * @param disposal closes what the peer sends
     */
    public LinkParts(UnixSocket socket, Disposal disposal) {
        this.socket = socket;
        this.disposal = disposal;
        this.closer = disposal.account(0);
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
     * Reads who is at the other end: the process that connected, or that listened.
     *
     * @return whether it belongs to the user of this process
     * @throws LinuxException if the kernel does not say
     */
    public boolean isSameUser() throws LinuxException {
        peerCredentials = socket.peerCredentials();
        closer = disposal.account(peerCredentials.pid());
        return UserIds.isSame(peerCredentials.uid(), ProcessFacts.effectiveUid());
    }

    /**
     * The credentials that {@link #isSameUser} has read.
     *
     * @return the peer's
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
        return own;
    }

    SharedRegion peer() {
        return peer;
    }

    /** This side's dispatcher's bell, which the handshake tells the peer of. */
    Bell ownDispatcher() {
        return ownDispatcher;
    }

    /** The peer's dispatcher's bell, to be rung. */
    UnixSocket peerDispatcher() {
        return peerDispatcher;
    }

    /**
     * Creates what this side brings: its memory, with its header, and the dispatcher's bell.
     *
     * @throws IOException if there is no memory, or no descriptor
     */
    public void createOwn() throws IOException {
        ownDispatcher = Dispatcher.bell();
        own = SharedRegion.create("pd-link", LinkPages.length(), false);
        LinkPages.allocate(own, 0, LinkMemoryDescriptor.HEADER_LENGTH);
        own.memory().set(ValueLayout.JAVA_LONG, LinkMemoryDescriptor.MAGIC_OFFSET, LinkMemoryDescriptor.MAGIC);
        own.memory().set(ValueLayout.JAVA_INT, LinkMemoryDescriptor.VERSION_OFFSET, LinkMemoryDescriptor.VERSION);
    }

    /**
     * Sends HELLO or WELCOME, with what this side brings.
     *
     * @param message is filled in
     * @param type of the message
     * @return false if there is no room in the socket
     * @throws LinuxException if the peer is gone
     */
    public boolean introduce(LinkMessage message, int type) throws LinuxException {
        Fd bell = ownDispatcher.ringingEnd().fd();
        return message.send(socket, type, 0, own.size(), own.fd(), bell);
    }

    /**
     * Takes what came with HELLO or WELCOME, and checks it.
     *
     * @param message received from the peer
     * @throws IOException if it is not what the protocol says, or there is no memory
     */
    public void takePeer(LinkMessage message) throws IOException {
        if (message.descriptors() != 2) {
            throw new IOException("expected two descriptors, got " + message.descriptors());
        }
        if (message.size() != LinkPages.length()) {
            throw new IOException("a memory of " + message.size() + " bytes instead of " + LinkPages.length());
        }
        peer = SharedRegion.attach(message.take(0), message.size(), closer::close);
        LinkPages.populate(peer, 0, LinkMemoryDescriptor.HEADER_LENGTH);
        if (peer.memory().get(ValueLayout.JAVA_LONG, LinkMemoryDescriptor.MAGIC_OFFSET) != LinkMemoryDescriptor.MAGIC
                || peer.memory().get(ValueLayout.JAVA_INT, LinkMemoryDescriptor.VERSION_OFFSET)
                        != LinkMemoryDescriptor.VERSION) {
            throw new IOException("the memory is of another kind");
        }
        peerDispatcher = bell(message.take(1), closer);
    }

    /** A bell that the peer sent, after a check that it is one. */
    static UnixSocket bell(Fd fd, DescriptorCloser closer) throws LinuxException {
        try {
            return UnixSocket.own(UnixSocket.Type.SEQPACKET, fd);
        } catch (LinuxException e) {
            closer.close(fd);
            throw e;
        }
    }

    /** Ends the connection, of which who watches it is told at both sides. Any thread; also when it is closed. */
    public void hangUp() {
        try {
            socket.shutdown(true, true);
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "the link''s socket is closed already: {0}", e.getMessage());
        }
    }

    /** Closes what there is; what a stranger had a hand in, on another thread. */
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
