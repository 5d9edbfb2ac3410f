// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.driver.control.ControlRequest;
import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.control.Reply;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.RequestReader;
import io.pipedevice.driver.identity.AddressBook;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.socket.SocketRequests;
import io.pipedevice.protocol.ControlMessage;
import java.net.InetSocketAddress;

/**
 * The work that must be done before a process's message is handled: take the requests that were posted earlier, read
 * again the addresses that may have changed, and allocate large receive rings. The process decides how long that
 * takes, so it is done in steps ({@link Chores}), after which the message goes on. Belongs to the driver's thread.
 */
final class Prerequisites {
    private final RequestReader requests;
    private final SocketRequests sockets;
    private final AddressBook addresses;
    private final Chores chores;

    Prerequisites(RequestReader requests, SocketRequests sockets, AddressBook addresses, Chores chores) {
        this.requests = requests;
        this.sockets = sockets;
        this.addresses = addresses;
        this.chores = chores;
    }

    /**
     * Handles a message as soon as that takes a short time.
     *
     * @param then handles it
     */
    Reply meet(ControlRequest request, long nowNs, Reply.Later then) throws Refusal {
        AttachedProcess process = request.process();
        // Usually one turn is enough for the requests that were posted before the message.
        requests.drain(process, nowNs);
        if (process.requests.isEmpty()) {
            return readAddresses(request, nowNs, then);
        }
        chores.add(new Drain(request));
        return (Reply.Later) now -> readAddresses(request, now, then);
    }

    /**
     * Takes the requests in a process's ring before its message. An honest process does not refill the ring
     * meanwhile.
     */
    private final class Drain implements Chores.Chore {
        private final ControlRequest request;
        private final AttachedProcess process;
        private int untaken;

        Drain(ControlRequest request) {
            this.request = request;
            this.process = request.process();
            this.untaken = process.pages.requestDepth();
        }

        @Override
        public boolean step(long now) {
            if (!process.isGone()) {
                int taken = requests.drain(process, now);
                untaken -= taken;
                if (taken > 0 && untaken > 0) {
                    return true;
                }
            }
            request.resume();
            return false;
        }
    }

    private Reply readAddresses(ControlRequest request, long nowNs, Reply.Later then) throws Refusal {
        Identity identity = request.process().identity;
        ControlMessage message = request.message();
        InetSocketAddress address = switch (message.type()) {
            case ControlMessage.BIND -> message.localAddress();
            case ControlMessage.CONNECT -> message.peerAddress();
            default -> null;
        };
        if (address != null && !identity.owns(address.getAddress()) && addresses.refresh(identity, request::resume)) {
            return (Reply.Later) now -> allocateRings(request, now, then);
        }
        return allocateRings(request, nowNs, then);
    }

    private Reply allocateRings(ControlRequest request, long nowNs, Reply.Later then) throws Refusal {
        Chores.Chore preparation =
                request.message().type() == ControlMessage.CONNECT ? sockets.prepareRings(request) : null;
        if (preparation == null || !preparation.step(nowNs)) {
            return then.resume(nowNs);
        }
        chores.add(now -> {
            boolean more = false;
            try {
                more = request.session().isOpen() && preparation.step(now);
            } finally {
                if (!more) {
                    request.resume();
                }
            }
            return more;
        });
        return then;
    }
}
