// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import io.pipedevice.peer.protocol.ChallengeWord;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.stream.PeerSocket;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/** The client's side of a link: connects. Thread safe. */
public final class ClientLink extends LinkSide implements PeerLink {
    private static final LazyLogger LOG = new LazyLogger(ClientLink.class);

    /** One way to connect, under the link's lock. */
    private interface Connecting {
        PeerSocket connect() throws PeerRefusal;
    }

    private final Connector connector;
    private final BacklogRoom room;

    /** Asks the kernel whether the server is gone, before the watching thread reports it. Guarded by the lock. */
    private final Poll departure = new Poll(1);

    /**
     * Creates the link from the parts of a handshake.
     *
     * @param owner the network that the link belongs to
     * @param parts taken over
     */
    public ClientLink(LinkOwner owner, LinkParts parts) {
        super(owner, parts, OptionalLong.empty());
        connector = new Connector(this, pages, sockets, owner.ringLimits(), talk::showPort);
        room = new BacklogRoom(own(), peer());
        departure.add(parts.socket().fd(), Poll.RDHUP);
    }

    @Override
    public PeerSocket connect(InetSocketAddress from, InetSocketAddress to) throws PeerRefusal {
        return connect(from, null, to);
    }

    @Override
    public PeerSocket connect(InetSocketAddress from, Fd port, InetSocketAddress to) throws PeerRefusal {
        Fd shown = isWithinProcess() ? null : port;
        return connect(from.getAddress(), () -> connector.connect(from, shown, to), to);
    }

    @Override
    public PeerSocket connectAgain(InetAddress source, InetSocketAddress to) throws PeerRefusal {
        return connect(source, () -> connector.connectAgain(source, to), to);
    }

    private PeerSocket connect(InetAddress source, Connecting connecting, InetSocketAddress to) throws PeerRefusal {
        if (source.getClass() != to.getAddress().getClass()) {
            throw new IllegalArgumentException("from " + source + " to " + to);
        }
        PeerSocket socket;
        long word;
        state.lock.lock();
        try {
            if (!state.isUsable()) {
                throw new PeerRefusal(PeerRefusal.Reason.NO_RENDEZVOUS, "the listener is gone");
            }
            try {
                socket = connecting.connect();
            } finally {
                reclaimer.endIfUnused();
            }
            word = socket == null ? PeerArmWord.DISARMED : connector.armToRing();
        } finally {
            state.lock.unlock();
        }
        wake(word);
        return socket;
    }

    @Override
    public boolean awaitRoom(long nanos, BooleanSupplier goesOn) {
        try {
            return state.isUsable() && room.await(nanos, () -> state.isUsable() && goesOn.getAsBoolean());
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return false;
        }
    }

    @Override
    public Announcement announce(int port) {
        state.lock.lock();
        try {
            return state.isUsable() ? connector.announce(port) : null;
        } catch (PeerRefusal e) {
            LOG.get().log(Level.DEBUG, "a connection is not announced: {0}", e.getMessage());
            return null;
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public boolean revoke(Announcement announced) {
        state.lock.lock();
        try {
            return state.isEnded() || connector.revoke(announced);
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public void forget(Announcement announced) {
        state.lock.lock();
        try {
            if (!state.isEnded()) {
                connector.forget(announced);
            }
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public int challenge(Announcement announced) {
        try {
            return state.isUsable()
                    ? ChallengeWord.read(peer(), announced.slot(), announced.generation())
                    : ChallengeWord.NONE;
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return ChallengeWord.NONE;
        }
    }

    @Override
    public int shown(Announcement announced) {
        try {
            return state.isUsable()
                    ? ChallengeWord.shown(peer(), announced.slot(), announced.generation())
                    : ChallengeWord.NONE;
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return ChallengeWord.NONE;
        }
    }

    @Override
    public boolean isRevoked(Announcement announced) {
        try {
            return state.isUsable() && ChallengeWord.isRevoked(peer(), announced.slot(), announced.generation());
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return false;
        }
    }

    @Override
    public boolean isLeft(Announcement announced) {
        try {
            return state.isUsable() && ChallengeWord.isLeft(peer(), announced.slot(), announced.generation());
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return false;
        }
    }

    @Override
    public PeerSocket connect(Announcement announced, InetSocketAddress from, InetSocketAddress to) throws PeerRefusal {
        return connect(from.getAddress(), () -> connector.connect(announced, from, to), to);
    }

    @Override
    public Answer answer(Announcement announced) {
        try {
            int slot = LinkMemoryDescriptor.slot(announced.slot());
            long word = state.isEnded() ? 0 : peer().getAcquire(slot + LinkMemoryDescriptor.STATE_OFFSET);
            int flags = LinkMemoryDescriptor.flags(word, announced.generation());
            if ((flags & LinkMemoryDescriptor.OPEN) != 0) {
                return Answer.TAKEN;
            }
            return flags != 0 || !state.isUsable() ? Answer.REFUSED : Answer.NONE;
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return Answer.REFUSED;
        }
    }

    @Override
    public boolean isUsable() {
        return state.isUsable();
    }

    @Override
    public boolean isListening() {
        state.lock.lock();
        try {
            if (state.isUsable() && isServerGone()) {
                state.peerIsGone();
            }
            boolean is = state.isUsable() && connector.isListening();
            if (!is) {
                reclaimer.endIfUnused();
            }
            return is;
        } finally {
            state.lock.unlock();
        }
    }

    private boolean isServerGone() {
        try {
            return departure.await(0) > 0;
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "cannot poll the link''s socket: {0}", e.getMessage());
            return true;
        }
    }

    @Override
    int waitingAtMost() {
        return 0;
    }

    @Override
    void serveNoMore() {
        // A broken link makes no connections.
    }

    @Override
    void lost() {
        // Only sockets wait for the peer, and they have been woken.
    }

    @Override
    public void giveBack(int slot) {
        connector.giveBack(slot);
    }

    @Override
    public boolean isOver() {
        return state.isBroken() || !connector.isListening();
    }

    @Override
    public boolean endsFirst() {
        return true;
    }
}
