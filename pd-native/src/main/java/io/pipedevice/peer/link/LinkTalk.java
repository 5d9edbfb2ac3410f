// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.RingBudget;
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
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * The messages that the two sides of a link exchange after the handshake: they announce bells, larger rings and ports.
 * The peer's messages are read when a thread meets an unknown number, and when the link is swept. Guarded by the link's
 * lock, except where noted.
 */
final class LinkTalk {
    private static final LazyLogger LOG = new LazyLogger(LinkTalk.class);

    /** How many messages are read in one turn, after which other threads can take the lock. */
    static final int MESSAGES_OF_TURN = 64;

    /**
     * The most turns of one search for a message. The message was sent before the search began, and the socket of an
     * honest peer holds some hundred messages (SO_SNDBUF: 277 with the kernel's default, 554 of a client).
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

    /** Null unless this is a server whose client is another process and must show its ports. */
    private final ClientPorts ports;

    private final LinkReadySets readySets;
    private final SweepRequest sweepRequest;
    private final PeerBudget.Share share;
    private final int keepsPorts;

    /**
     * Creates the message exchange of one side of a link.
     *
     * @param share the resources that the peer's process may have of this one
     * @param connections how many connections the peer can have rings for
     * @param shown the network namespace of the sockets that a client must show for its ports; empty if it must show
     *     none
     */
    LinkTalk(
            LinkState state,
            LinkParts parts,
            LinkReadySets readySets,
            SweepRequest sweepRequest,
            PeerBudget.Share share,
            IntSupplier connections,
            OptionalLong shown) {
        this.state = state;
        this.readySets = readySets;
        this.sweepRequest = sweepRequest;
        this.share = share;
        socket = parts.socket();
        closer = parts.closer();
        message = new LinkMessage(closer);
        bells = new LinkBells(parts.ownDispatcher(), parts.peerDispatcher(), closer);
        sendRings = new SendRings(socket, message, share, RingBudget.process());
        peerRings = new PeerRings(closer, connections, share);
        keepsPorts = shown.isPresent() && share.hold(ClientPorts.MOST_KEPT) ? ClientPorts.MOST_KEPT : 0;
        ports = shown.isPresent() ? new ClientPorts(shown.getAsLong(), closer, HostAddresses.THIS, keepsPorts) : null;
    }

    /** For how many slots this side keeps the port that the client shows. Any thread. */
    int keepsPorts() {
        return keepsPorts;
    }

    /** The number of a bell of this side; {@link RingLink#NO_BELL} if it was not announced to the peer. Any thread. */
    int knownNumber(Bell bell) {
        return bells.numberOf(bell);
    }

    /** The number of a bell of this side. Announces the bell to the peer if that was not done before. */
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
            LOG.get().log(Level.DEBUG, "cannot announce a bell to the peer: {0}", e.getMessage());
            return RingLink.NO_BELL;
        }
        bells.announced(number, bell);
        return number;
    }

    /** A bell that the messages read so far have announced; null if there is none. Any thread. */
    UnixSocket knownBell(int number) {
        return bells.ofPeer(number);
    }

    SendRing takeRing(int size) {
        assert state.isLocked();
        return sendRings.take(size);
    }

    SendRing takeRing(int size, int least, RingBudget.Waiter waiter) {
        assert state.isLocked();
        return sendRings.take(size, least, waiter);
    }

    void giveRing(SendRing ring) {
        assert state.isLocked();
        sendRings.give(ring);
    }

    /** Whether the messages read so far have announced a ring. */
    boolean knowsRing(int number) {
        assert state.isLocked();
        return peerRings.knows(number);
    }

    /** A ring of the peer, after its messages were searched; null if its message has to wait for a descriptor. */
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
     * @return false if the socket has no room for the message
     */
    boolean showPort(int slot, Fd port) throws LinuxException {
        assert state.isLocked();
        return message.send(socket, LinkMessageDescriptor.PORT, slot, 0, port);
    }

    /**
     * Whether the client holds the address that a connection claims to come from. Reads a turn of messages if
     * necessary.
     *
     * @throws LinuxException EMFILE if a lack of descriptors prevents the check
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

    void release(PeerRing ring) {
        assert state.isLocked();
        peerRings.release(ring);
    }

    /**
     * Releases the rings that the peer has taken back: only this side still holds their memory.
     *
     * @return whether there may be more messages
     */
    boolean releaseReturnedRings() {
        return !peerRings.isEmpty() && read();
    }

    /** Gives back the rings of this side that no socket has taken since the last sweep. */
    void sweep() {
        assert state.isLocked();
        sendRings.sweep();
    }

    /** Whether this side keeps rings that no socket uses. */
    boolean hasFreeRings() {
        return sendRings.hasFree();
    }

    Shortage shortage() {
        return shortage;
    }

    /**
     * Requests the sweep that wakes the threads waiting for the end of the shortage. If there can be no sweep, gives
     * the link up: they would wait for ever.
     */
    void awaitDescriptors() {
        assert state.isLocked();
        if (!sweepRequest.make()) {
            state.giveUp("neither a descriptor nor a thread is available");
            shortage.end();
        }
    }

    /**
     * Reads the peer's messages until something is known or none is left, a turn at a time, so that other threads can
     * take the lock in between. The caller need not hold the lock.
     *
     * @param known the condition, evaluated under the lock
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
     * Reads a turn of messages. They remain in the socket even when the peer is gone.
     *
     * @return whether there may be more
     */
    boolean read() {
        assert state.isLocked();
        if (state.whyGivenUp() != null) {
            // The message for which the link was given up may still be the next one. A thread that waits for a message
            // gets the reason.
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
                    state.giveUp("a message of " + received + " bytes that is invalid");
                    return false;
                }
            } catch (LinuxException e) {
                if (e.errno() == Errno.EMFILE && peerRings.freeDescriptor()) {
                    continue;
                }
                if (e.errno() == Errno.EMFILE && shortage.persists()) {
                    return false;
                }
                // The peer left without having read everything. The error comes once, before the peer's own messages.
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
            share.release(keepsPorts);
        }
    }
}
