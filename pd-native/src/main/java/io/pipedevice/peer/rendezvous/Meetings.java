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

/** The links of a client process by the names of listeners, and its recent failures. Thread safe. */
final class Meetings {
    private static final LazyLogger LOG = new LazyLogger(Meetings.class);

    private final Maker maker;
    private final ConcurrentHashMap<UnixAddress, Meeting> meetings = new ConcurrentHashMap<>();
    private final Forbearance<UnixAddress> failures = new Forbearance<>();

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
     * The link to the process that listens at a name, and that owned a port of that name when the link was made. If
     * several threads call this at the same time, one of them makes the link.
     *
     * @param patienceNanos the timeout, counted from the beginning of the handshake: a thread that joins later waits
     *     for less, and one that joins after the timeout does not wait for a stopped listener
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
            // A virtual thread does not wait here, because it would block its carrier.
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

    /** Leaves the handshake to the watching thread, which makes the link even if no thread waits for it any more. */
    private void leave(UnixAddress name, Meeting meeting, ClientHandshake handshake) throws PeerRefusal {
        meeting.leave(handshake);
        handshake.whenAnswered(() -> answered(name, meeting, handshake));
        if (maker.isClosed()) {
            meeting.hangUp();
        }
    }

    /** Continues the handshake on the watching thread. */
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

    /** Cancels the handshakes of the watching thread, because the network is closed. */
    void close() {
        meetings.values().forEach(Meeting::hangUp);
    }
}
