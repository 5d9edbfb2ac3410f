// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.linux.UserIds;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.ValueLayout;

/** What a handshake gathers, piece by piece, and a link is made of. Used by one thread at a time. */
final class LinkParts {
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

    LinkParts(UnixSocket socket, Disposal disposal) {
        this.socket = socket;
        this.disposal = disposal;
        this.closer = disposal.account(0);
    }

    UnixSocket socket() {
        return socket;
    }

    /** Looks who is at the other end: who connected, or who listened. */
    boolean isSameUser() throws LinuxException {
        peerCredentials = socket.peerCredentials();
        closer = disposal.account(peerCredentials.pid());
        return UserIds.isSame(peerCredentials.uid(), ProcessFacts.effectiveUid());
    }

    /** Who that was. */
    UnixSocket.Credentials peerCredentials() {
        return peerCredentials;
    }

    /** Closes what the peer had a hand in. */
    DescriptorCloser closer() {
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

    /** Creates what this side brings: its memory, whose header is there and says what it is, and its dispatcher's bell. */
    void createOwn() throws IOException {
        ownDispatcher = Dispatcher.bell();
        own = SharedRegion.create("pd-link", LinkPages.length(), false);
        LinkPages.allocate(own, 0, LinkMemoryDescriptor.HEADER_LENGTH);
        own.memory().set(ValueLayout.JAVA_LONG, LinkMemoryDescriptor.MAGIC_OFFSET, LinkMemoryDescriptor.MAGIC);
        own.memory().set(ValueLayout.JAVA_INT, LinkMemoryDescriptor.VERSION_OFFSET, LinkMemoryDescriptor.VERSION);
    }

    /** Sends HELLO or WELCOME. False if there is no room. */
    boolean introduce(LinkMessage message, int type) throws LinuxException {
        Fd bell = ownDispatcher.ringingEnd().fd();
        return message.send(socket, type, 0, own.size(), own.fd(), bell);
    }

    /** Takes what came with HELLO or WELCOME, checked. */
    void takePeer(LinkMessage message) throws IOException {
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
    void hangUp() {
        try {
            socket.shutdown(true, true);
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "the link''s socket is closed already: {0}", e.getMessage());
        }
    }

    /** Closes what there is; what a stranger had a hand in, on another thread. */
    void close() {
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
