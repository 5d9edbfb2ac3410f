// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import java.io.IOException;
import java.lang.System.Logger.Level;

/**
 * What the two sides of a link tell each other after the handshake: of bells and of larger rings. What the peer says is
 * read when somebody meets a number that is not known, and when the link is swept. Guarded by the link's lock, except what
 * says otherwise.
 */
final class LinkTalk {
    private static final LazyLogger LOG = new LazyLogger(LinkTalk.class);

    /** Of all rings that a link may have, at once, each told of and taken back: the peer sends while they are read. */
    private static final int MAX_MESSAGES = 8 * LinkMemoryDescriptor.MAX_CONNECTIONS;

    private final PeerLink link;
    private final UnixSocket socket;
    private final Disposal disposal;
    private final LinkMessage message;
    private final LinkBells bells;
    private final SendRings sendRings;
    private final PeerRings peerRings;
    private final Shortage shortage = new Shortage();

    LinkTalk(PeerLink link, LinkParts parts, LinkPages pages, Disposal disposal) {
        this.link = link;
        this.socket = parts.socket();
        this.disposal = disposal;
        message = new LinkMessage(disposal);
        bells = new LinkBells(parts.ownDispatcher(), parts.peerDispatcher(), disposal);
        sendRings = new SendRings(socket, message);
        peerRings = new PeerRings(disposal, () -> pages.connections() + link.backlog());
    }

    /** The number of a bell of this side, which the peer is told if it was not. */
    int numberOf(Bell bell) {
        int known = bells.numberOf(bell);
        if (known != RingLink.NO_BELL) {
            return known;
        }
        int number = bells.freeNumber();
        if (number == RingLink.NO_BELL) {
            return number;
        }
        try {
            if (!message.send(
                    socket,
                    LinkMessageDescriptor.BELL,
                    number,
                    0,
                    bell.ringingEnd().fd())) {
                return RingLink.NO_BELL;
            }
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "the peer cannot be told of a bell: {0}", e.getMessage());
            return RingLink.NO_BELL;
        }
        bells.told(number, bell);
        return number;
    }

    /** A bell of the peer's, as far as its messages were read; null if there is none. Any thread. */
    UnixSocket knownBell(int number) {
        return bells.ofPeer(number);
    }

    /** A bell of the peer's, after its messages were read; null if there is none. */
    UnixSocket toldBell(int number) {
        read();
        return bells.ofPeer(number);
    }

    SendRing takeRing(int size) {
        return sendRings.take(size);
    }

    void giveRing(SendRing ring) {
        sendRings.give(ring);
    }

    /** Null if what the peer has told of it has to wait for a descriptor. */
    PeerRing peerRing(int number, int size) throws PdException {
        if (!peerRings.knows(number)) {
            read();
            if (shortage.isPresent() && !peerRings.knows(number)) {
                shortage.await();
                return null;
            }
        }
        String why = link.whyGivenUp();
        if (why != null) {
            throw new PdException(Errno.EPROTO, why);
        }
        return peerRings.get(number, size);
    }

    void letGo(PeerRing ring) {
        peerRings.letGo(ring);
    }

    /** Gives back the rings of the peer's that it has taken back: only this side still holds their memory. */
    void forgetRings() {
        if (!peerRings.isEmpty()) {
            read();
        }
    }

    /** Gives back what neither side needs any more: free rings, and the peer's that it has taken back. */
    void sweep() {
        read();
        sendRings.sweep();
    }

    /** Whether this side keeps rings that nobody uses. */
    boolean hasFreeRings() {
        return sendRings.hasFree();
    }

    Shortage shortage() {
        return shortage;
    }

    /** What the peer has told lies in the socket even when the peer is gone. */
    private void read() {
        if (link.whyGivenUp() != null) {
            // What made this side give it up may still be the next message; who waits for one of them hears why.
            shortage.end();
            return;
        }
        for (int i = 0; i < MAX_MESSAGES; i++) {
            try {
                int received = message.receiveWhole(socket);
                shortage.end();
                if (received == LinkMessage.NOTHING_YET || received == 0) {
                    return;
                }
                if (!message.isMessage(received) || !understand()) {
                    link.giveUp("a message of " + received + " bytes that cannot be");
                    return;
                }
            } catch (LinuxException e) {
                if (e.errno() == Errno.EMFILE && shortage.persists()) {
                    return;
                }
                // The peer left without having read everything; that comes once, and before what it has told.
                if (e.errno() != Errno.ECONNRESET) {
                    shortage.end();
                    link.giveUp(e.getMessage());
                    return;
                }
            } catch (IOException e) {
                link.giveUp(e.getMessage());
                return;
            } finally {
                message.dropDescriptors();
            }
        }
        link.giveUp("a flood of messages");
    }

    private boolean understand() throws IOException {
        if (message.type() == LinkMessageDescriptor.RING) {
            peerRings.learn(message);
            return true;
        }
        return message.type() == LinkMessageDescriptor.BELL && bells.learn(message);
    }

    /** The link has ended. */
    void close() {
        sendRings.close();
        peerRings.close();
        bells.abandon().forEach(disposal::close);
    }
}
