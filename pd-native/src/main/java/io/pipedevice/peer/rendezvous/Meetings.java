// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.peer.link.ClientLink;
import io.pipedevice.peer.link.LinkParts;
import io.pipedevice.peer.link.LinkSide;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.wait.FairTimeout;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentHashMap;

/** The links of a client process by the ways to their listeners, and its recent failures. Thread safe. */
final class Meetings {
    private static final LazyLogger LOG = new LazyLogger(Meetings.class);

    private final Maker maker;
    private final ConcurrentHashMap<Object, Meeting> meetings = new ConcurrentHashMap<>();
    private final Forbearance<Object> failures = new Forbearance<>();

    /** Makes links from the parts that handshakes have gathered. Thread safe. */
    interface Maker {
        /** Closes the descriptors that peers send. */
        Disposal disposal();

        /** Makes the client's side of a link, and starts watching it. */
        ClientLink link(LinkParts parts) throws PeerRefusal;

        /** Whether no link is needed any more. */
        boolean isClosed();
    }

    Meetings(Maker maker) {
        this.maker = maker;
    }

    /**
     * The link to the process to which a way leads, or led when the link was made. If several threads call this at the
     * same time, one of them makes the link.
     *
     * @param patience the timeout, counted from the beginning of the handshake: a thread that joins later waits
     *     for less, and one that joins after the timeout does not wait for a stopped listener
     */
    ClientLink meet(Rendezvous way, Patience patience) throws PeerRefusal {
        Object key = way.key();
        while (true) {
            failures.check(key);
            Meeting mine = new Meeting();
            Meeting theirs = meetings.putIfAbsent(key, mine);
            if (theirs == null) {
                return make(way, mine, patience);
            }
            ClientLink link = theirs.await(patience);
            if (link.isListening()) {
                return link;
            }
            meetings.remove(key, theirs);
        }
    }

    private ClientLink make(Rendezvous way, Meeting meeting, Patience patience) throws PeerRefusal {
        try {
            ClientHandshake handshake = ClientHandshake.begin(way, maker.disposal());
            // A virtual thread does not wait here, because it would block its carrier.
            if (isAnswered(handshake, meeting, Thread.currentThread().isVirtual() ? Patience.NONE : patience)) {
                return made(meeting, handshake);
            }
            leave(way, meeting, handshake);
        } catch (PeerRefusal | RuntimeException | Error e) {
            failed(way, meeting, e);
            throw e;
        }
        return meeting.await(patience);
    }

    private static boolean isAnswered(ClientHandshake handshake, Meeting meeting, Patience patience)
            throws PeerRefusal {
        FairTimeout timeout = patience.from(meeting.begin());
        do {
            if (handshake.isAnswered(timeout.untilNs())) {
                return true;
            }
        } while (timeout.goesOn());
        return false;
    }

    private ClientLink made(Meeting meeting, ClientHandshake handshake) throws PeerRefusal {
        ClientLink link = maker.link(handshake.take());
        meeting.made(link);
        return link;
    }

    private void failed(Rendezvous way, Meeting meeting, Throwable why) {
        if (why instanceof PeerRefusal e && e.reason() != PeerRefusal.Reason.NO_RENDEZVOUS) {
            failures.remember(way.key(), e, System.nanoTime() - meeting.begin());
        }
        meetings.remove(way.key(), meeting);
        meeting.failed(why);
    }

    /** Leaves the handshake to the watching thread, which makes the link even if no thread waits for it any more. */
    private void leave(Rendezvous way, Meeting meeting, ClientHandshake handshake) throws PeerRefusal {
        meeting.leave(handshake);
        handshake.whenAnswered(() -> answered(way, meeting, handshake));
        if (maker.isClosed()) {
            meeting.hangUp();
        }
    }

    /** Continues the handshake on the watching thread. */
    private void answered(Rendezvous way, Meeting meeting, ClientHandshake handshake) {
        try {
            if (handshake.isAnswered(System.nanoTime())) {
                made(meeting, handshake);
            } else {
                handshake.whenAnswered(() -> answered(way, meeting, handshake));
            }
        } catch (PeerRefusal | RuntimeException | Error e) {
            LOG.get().log(Level.DEBUG, "no link to {0}: {1}", way, e.toString());
            failed(way, meeting, e);
        }
    }

    /** A link has ended. */
    void ended(LinkSide link) {
        meetings.values().removeIf(meeting -> meeting.isOf(link));
    }

    /** Cancels the handshakes of the watching thread, because the network is closed. */
    void close() {
        meetings.values().forEach(Meeting::hangUp);
    }
}
