// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.RequestReader;
import io.pipedevice.driver.identity.AddressBook;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.protocol.ControlMessage;
import java.net.InetSocketAddress;

/**
 * The work that must be done before a process's message is handled: take the requests that were posted earlier, read
 * again the addresses that may have changed, and allocate large receive rings. The process decides how long that
 * takes, so it is done in steps ({@link Chores}), and the message is handled again afterwards. Belongs to the driver's
 * thread.
 */
final class Prerequisites {
    private final RequestReader requests;
    private final SocketControl sockets;
    private final AddressBook addresses;
    private final Chores chores;

    Prerequisites(RequestReader requests, SocketControl sockets, AddressBook addresses, Chores chores) {
        this.requests = requests;
        this.sockets = sockets;
        this.addresses = addresses;
        this.chores = chores;
    }

    /**
     * Whether a message can be handled in a short time.
     *
     * @param resume causes it to be handled again; runs later if this returns false, and never if it returns true
     */
    boolean areMet(ControlSession session, ControlMessage message, long nowNs, Runnable resume) {
        return isDrained(session, nowNs, resume) && isPrepared(session, message, nowNs, resume);
    }

    /** Whether the requests that were posted before a message have been taken. Usually one turn is enough for them. */
    private boolean isDrained(ControlSession session, long nowNs, Runnable resume) {
        if (session.drained) {
            session.drained = false;
            return true;
        }
        AttachedProcess process = session.process;
        requests.drain(process, nowNs);
        if (process.requests.isEmpty()) {
            return true;
        }
        chores.add(new Drain(session, resume));
        return false;
    }

    /**
     * Takes the requests in a process's ring before its message. An honest process does not refill the ring
     * meanwhile.
     */
    private final class Drain implements Chores.Chore {
        private final ControlSession session;
        private final Runnable resume;
        private int untaken;

        Drain(ControlSession session, Runnable resume) {
            this.session = session;
            this.resume = resume;
            this.untaken = session.process.pages.requestDepth();
        }

        @Override
        public boolean step(long now) {
            if (!session.process.isGone()) {
                int taken = requests.drain(session.process, now);
                untaken -= taken;
                if (taken > 0 && untaken > 0) {
                    return true;
                }
            }
            session.drained = true;
            resume.run();
            return false;
        }
    }

    private boolean isPrepared(ControlSession session, ControlMessage message, long nowNs, Runnable resume) {
        if (session.prepared) {
            session.prepared = false;
            return true;
        }
        Identity identity = session.process.identity;
        InetSocketAddress address = switch (message.type()) {
            case ControlMessage.BIND -> message.localAddress();
            case ControlMessage.CONNECT -> message.peerAddress();
            default -> null;
        };
        if (address != null && !identity.owns(address.getAddress()) && addresses.refresh(identity, resume)) {
            return false;
        }
        return message.type() != ControlMessage.CONNECT || hasRings(session, message, nowNs, resume);
    }

    private boolean hasRings(ControlSession session, ControlMessage message, long nowNs, Runnable resume) {
        Chores.Chore preparation = sockets.prepareRings(session.process, message);
        if (preparation == null || !preparation.step(nowNs)) {
            return true;
        }
        chores.add(now -> {
            boolean more = false;
            try {
                more = session.open && preparation.step(now);
            } finally {
                if (!more) {
                    session.prepared = true;
                    resume.run();
                }
            }
            return more;
        });
        return false;
    }
}
