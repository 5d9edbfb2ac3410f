// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.peer.link.ClientLink;
import io.pipedevice.peer.link.LinkParts;
import io.pipedevice.peer.link.LinkSide;
import io.pipedevice.peer.link.PeerRefusal;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentHashMap;

/** The links of a client process by the names of the listeners, and the failures that are not to be repeated at once. Thread safe. */
final class Meetings {
    private static final LazyLogger LOG = new LazyLogger(Meetings.class);

    private final Maker maker;
    private final ConcurrentHashMap<UnixAddress, Meeting> meetings = new ConcurrentHashMap<>();
    private final Forbearance<UnixAddress> failures = new Forbearance<>();

    /** Makes links of what handshakes have gathered. Thread safe. */
    interface Maker {
        /** Closes what peers send. */
        Disposal disposal();

        /** Makes the client's side of a link, and watches it. */
        ClientLink link(LinkParts parts) throws PeerRefusal;

        /** Whether no link is needed any more. */
        boolean isClosed();
    }

    Meetings(Maker maker) {
        this.maker = maker;
    }

    /**
     * The link to the process that listens at a name, and had a port of that name when the link was made. Only one of the
     * threads that ask at the same time makes it.
     *
     * @param patienceNanos counts from the beginning of the handshake: a thread that comes later waits for less, and one that
     *     comes after that does not wait for a listener that has been stopped
     */
    ClientLink meet(UnixAddress name, Port port, long patienceNanos) throws PeerRefusal {
        while (true) {
            failures.check(name);
            Meeting mine = new Meeting();
            Meeting theirs = meetings.putIfAbsent(name, mine);
            if (theirs == null) {
                return make(name, port, mine, patienceNanos);
            }
            ClientLink link = theirs.await(patienceNanos);
            if (link.isListening()) {
                return link;
            }
            meetings.remove(name, theirs);
        }
    }

    private ClientLink make(UnixAddress name, Port port, Meeting meeting, long patienceNanos) throws PeerRefusal {
        try {
            ClientHandshake handshake = ClientHandshake.begin(name, port, maker.disposal());
            long until = meeting.begin() + patienceNanos;
            // A virtual thread's carrier has others to serve.
            if (handshake.isAnswered(Thread.currentThread().isVirtual() ? meeting.begin() : until)) {
                return made(meeting, handshake);
            }
            leave(name, meeting, handshake);
        } catch (PeerRefusal | RuntimeException | Error e) {
            failed(name, meeting, e);
            throw e;
        }
        return meeting.await(patienceNanos);
    }

    private ClientLink made(Meeting meeting, ClientHandshake handshake) throws PeerRefusal {
        ClientLink link = maker.link(handshake.take());
        meeting.made(link);
        return link;
    }

    private void failed(UnixAddress name, Meeting meeting, Throwable why) {
        if (why instanceof PeerRefusal e && e.reason() != PeerRefusal.Reason.NO_RENDEZVOUS) {
            failures.remember(name, e, System.nanoTime() - meeting.begin());
        }
        meetings.remove(name, meeting);
        meeting.failed(why);
    }

    /** No thread waits any more, but when the answer comes there is a link for those that ask then. */
    private void leave(UnixAddress name, Meeting meeting, ClientHandshake handshake) throws PeerRefusal {
        meeting.leave(handshake);
        handshake.whenAnswered(() -> answered(name, meeting, handshake));
        if (maker.isClosed()) {
            meeting.hangUp();
        }
    }

    /** On the watching thread. */
    private void answered(UnixAddress name, Meeting meeting, ClientHandshake handshake) {
        try {
            if (handshake.isAnswered(System.nanoTime())) {
                made(meeting, handshake);
            } else {
                handshake.whenAnswered(() -> answered(name, meeting, handshake));
            }
        } catch (PeerRefusal | RuntimeException | Error e) {
            LOG.get().log(Level.DEBUG, "no link to {0}: {1}", name, e.toString());
            failed(name, meeting, e);
        }
    }

    /** A link has ended. */
    void ended(LinkSide link) {
        meetings.values().removeIf(meeting -> meeting.isOf(link));
    }

    /** The network is closed: what has been left to the watching thread ends. */
    void close() {
        meetings.values().forEach(Meeting::hangUp);
    }
}
