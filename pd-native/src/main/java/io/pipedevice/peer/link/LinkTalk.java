// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.protocol.AcceptEntry;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.ring.PeerBudget;
import io.pipedevice.peer.ring.PeerRing;
import io.pipedevice.peer.ring.PeerRings;
import io.pipedevice.peer.ring.SendRing;
import io.pipedevice.peer.ring.SendRings;
import io.pipedevice.peer.stream.RingLink;
import io.pipedevice.peer.wait.Bell;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * What the two sides of a link tell each other after the handshake: of bells and of larger rings. What the peer says is
 * read when somebody meets a number that is not known, and when the link is swept. Guarded by the link's lock, except what
 * says otherwise.
 */
final class LinkTalk {
    private static final LazyLogger LOG = new LazyLogger(LinkTalk.class);

    /** Messages that are read in one turn, after which other threads can take the lock. */
    static final int MESSAGES_OF_TURN = 64;

    /**
     * Turns that one search for a message takes at most. The message was sent before the search began, and the socket of an
     * honest peer holds a few hundred messages (SO_SNDBUF; 277 with the kernel's default).
     */
    static final int TURNS_OF_SEARCH = 32;

    private final LinkState state;
    private final UnixSocket socket;
    private final DescriptorCloser closer;
    private final LinkMessage message;
    private final LinkBells bells;
    private final SendRings sendRings;
    private final PeerRings peerRings;
    private final Shortage shortage = new Shortage();

    /** The server's, of a client that is another process; else null. */
    private final ClientPorts ports;

    private final LinkReadySets readySets;
    private final SweepRequest sweepRequest;
    private final PeerBudget.Share share;
    private final int keepsPorts;

    /**
     * What one side of a link says and hears.
     *
     * @param share what the peer's process may have of this one
     * @param connections how many connections the peer can have rings for
     * @param shows whether the peer is a client that must show what ports it has
     */
    LinkTalk(
            LinkState state,
            LinkParts parts,
            LinkReadySets readySets,
            SweepRequest sweepRequest,
            PeerBudget.Share share,
            IntSupplier connections,
            boolean shows) {
        this.state = state;
        this.readySets = readySets;
        this.sweepRequest = sweepRequest;
        this.share = share;
        socket = parts.socket();
        closer = parts.closer();
        message = new LinkMessage(closer);
        bells = new LinkBells(parts.ownDispatcher(), parts.peerDispatcher(), closer);
        sendRings = new SendRings(socket, message, share);
        peerRings = new PeerRings(closer, connections, share);
        keepsPorts = shows && share.hold(ClientPorts.MOST_KEPT) ? ClientPorts.MOST_KEPT : 0;
        ports = shows ? new ClientPorts(socket.fd(), closer, HostAddresses.THIS, keepsPorts) : null;
    }

    /** Of how many slots the port that the client shows is kept. Any thread. */
    int keepsPorts() {
        return keepsPorts;
    }

    /** The number of a bell of this side; {@link RingLink#NO_BELL} if the peer was not told of it. Any thread. */
    int knownNumber(Bell bell) {
        return bells.numberOf(bell);
    }

    /** The number of a bell of this side, which the peer is told if it was not. */
    int numberOf(Bell bell) {
        assert state.isLocked();
        int known = bells.numberOf(bell);
        if (known != RingLink.NO_BELL) {
            return known;
        }
        int number = bells.freeNumber();
        if (number == RingLink.NO_BELL) {
            return number;
        }
        boolean readySet = bell.isPollers() && readySets.offer(number);
        try {
            if (!message.send(
                    socket,
                    LinkMessageDescriptor.BELL,
                    number,
                    readySet ? LinkMessageDescriptor.READY_SET : 0,
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

    SendRing takeRing(int size) {
        assert state.isLocked();
        return sendRings.take(size);
    }

    void giveRing(SendRing ring) {
        assert state.isLocked();
        sendRings.give(ring);
    }

    /** Whether the messages that were read told of a ring. */
    boolean knowsRing(int number) {
        assert state.isLocked();
        return peerRings.knows(number);
    }

    /** A ring of the peer's, after its messages were searched; null if the message has to wait for a descriptor. */
    PeerRing peerRing(int number, int size) throws PdException {
        assert state.isLocked();
        if (shortage.isPresent() && !peerRings.knows(number)) {
            shortage.await();
            return null;
        }
        String why = state.whyGivenUp();
        if (why != null) {
            throw new PdException(Errno.EPROTO, why);
        }
        return peerRings.get(number, size);
    }

    /**
     * Shows the server the socket that holds the address of a slot's next connection.
     *
     * @return false if there is no room for it
     */
    boolean showPort(int slot, Fd port) throws LinuxException {
        assert state.isLocked();
        return message.send(socket, LinkMessageDescriptor.PORT, slot, 0, port);
    }

    /**
     * Whether the client has the address that a connection says it comes from. Reads a turn of messages, if need be.
     *
     * @throws LinuxException EMFILE if that cannot be found out for want of descriptors
     */
    AcceptRing.Claim check(AcceptEntry entry) throws LinuxException {
        assert state.isLocked();
        if (ports == null) {
            return AcceptRing.Claim.TRUE;
        }
        boolean more = !ports.prove(entry.slot(), entry.client()) && read();
        if (ports.prove(entry.slot(), entry.client())) {
            ports.taken(entry.slot());
            return AcceptRing.Claim.TRUE;
        }
        if (shortage.isPresent()) {
            throw new LinuxException("recvmsg", Errno.EMFILE);
        }
        return more ? AcceptRing.Claim.UNKNOWN : AcceptRing.Claim.FALSE;
    }

    void letGo(PeerRing ring) {
        assert state.isLocked();
        peerRings.letGo(ring);
    }

    /**
     * Gives back the rings of the peer's that it has taken back: only this side still holds their memory.
     *
     * @return whether there may be more messages
     */
    boolean forgetRings() {
        return !peerRings.isEmpty() && read();
    }

    /** Gives back the rings of this side that nobody has wanted since the last sweep. */
    void sweep() {
        assert state.isLocked();
        sendRings.sweep();
    }

    /** Whether this side keeps rings that nobody uses. */
    boolean hasFreeRings() {
        return sendRings.hasFree();
    }

    Shortage shortage() {
        return shortage;
    }

    /** A thread waits for the end of the shortage. The sweep wakes it then: without one it would wait for ever. */
    void awaitDescriptors() {
        assert state.isLocked();
        if (!sweepRequest.make()) {
            state.giveUp("there is neither a descriptor nor a thread to be had");
            shortage.end();
        }
    }

    /**
     * Reads what the peer has told until something is known or there is no more, a turn at a time, so that other threads can
     * take the lock meanwhile. The caller need not hold the lock.
     *
     * @param known is asked under the lock
     */
    void search(BooleanSupplier known) {
        boolean goesOn = true;
        for (int turn = 0; goesOn; turn++) {
            state.lock.lock();
            try {
                goesOn = !state.isEnded() && !known.getAsBoolean() && read();
                if (goesOn && turn == TURNS_OF_SEARCH) {
                    state.giveUp("a flood of messages");
                    goesOn = false;
                }
            } finally {
                state.lock.unlock();
            }
        }
    }

    /**
     * Reads a turn of messages. What the peer has told lies in the socket even when the peer is gone.
     *
     * @return whether there may be more
     */
    boolean read() {
        assert state.isLocked();
        if (state.whyGivenUp() != null) {
            // What made this side give it up may still be the next message; a thread that waits for one of them gets
            // the
            // reason.
            shortage.end();
            return false;
        }
        for (int i = 0; i < MESSAGES_OF_TURN; i++) {
            try {
                if (closer.isFull()) {
                    state.giveUp("descriptors that take long to close");
                    return false;
                }
                int received = message.receiveWhole(socket);
                shortage.end();
                if (received == LinkMessage.NOTHING_YET || received == 0) {
                    return false;
                }
                if (!message.isMessage(received) || !understand()) {
                    state.giveUp("a message of " + received + " bytes that cannot be");
                    return false;
                }
            } catch (LinuxException e) {
                if (e.errno() == Errno.EMFILE && peerRings.freeDescriptor()) {
                    continue;
                }
                if (e.errno() == Errno.EMFILE && shortage.persists()) {
                    return false;
                }
                // The peer left without having read everything; that comes once, and before what it has told.
                if (e.errno() != Errno.ECONNRESET) {
                    shortage.end();
                    state.giveUp(e.getMessage());
                    return false;
                }
            } catch (IOException e) {
                state.giveUp(e.getMessage());
                return false;
            } finally {
                message.dropDescriptors();
            }
        }
        return true;
    }

    private boolean understand() throws IOException {
        if (message.type() == LinkMessageDescriptor.RING) {
            peerRings.learn(message);
            return true;
        }
        if (message.type() == LinkMessageDescriptor.PORT && ports != null) {
            ports.learn(message);
            return true;
        }
        if (message.type() != LinkMessageDescriptor.BELL || !bells.learn(message)) {
            return false;
        }
        if (message.size() == LinkMessageDescriptor.READY_SET) {
            readySets.accept(message.number());
        }
        return true;
    }

    /** The link has ended. */
    void close() {
        sendRings.close();
        peerRings.close();
        bells.abandon().forEach(closer::close);
        if (ports != null) {
            ports.close();
            share.letGo(keepsPorts);
        }
    }
}
