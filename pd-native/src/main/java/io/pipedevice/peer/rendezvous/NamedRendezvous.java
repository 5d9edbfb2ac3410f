// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.PeerProcess;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.linux.UserIds;
import io.pipedevice.peer.link.PeerRefusal;
import java.io.IOException;

/**
 * The way to a listener of this network namespace, by the abstract name of its Unix socket. The kernel names the
 * process there, which must belong to this user and have the port.
 *
 * @param name the listener's
 * @param port the port that the listener must have
 */
record NamedRendezvous(UnixAddress name, Port port) implements Rendezvous {
    @Override
    public Object key() {
        return name;
    }

    @Override
    public UnixSocket connect() throws PeerRefusal {
        try {
            return UnixSocket.connect(UnixSocket.Type.SEQPACKET, name, 0, false);
        } catch (LinuxException e) {
            throw e.errno() == Errno.EAGAIN ? FullName.refusal(name) : PeerRefusal.of(e);
        }
    }

    @Override
    public UnixSocket.Credentials identify(UnixSocket socket) throws IOException {
        UnixSocket.Credentials owner = socket.peerCredentials();
        if (!UserIds.isSame(owner.uid(), ProcessFacts.effectiveUid())) {
            throw new PeerRefusal(PeerRefusal.Reason.OTHER_USER, "the listener belongs to another user");
        }
        try (PeerProcess process = PeerProcess.of(socket)) {
            port.requireOwner(owner);
            process.requireSame();
        } catch (LinuxException e) {
            throw e.errno() == Errno.ESRCH ? new PeerRefusal(PeerRefusal.Reason.NO_RENDEZVOUS, e.getMessage()) : e;
        }
        return owner;
    }

    /** The link may have been made for another port of this name, or a while ago. */
    @Override
    public void check(UnixSocket.Credentials peer) throws PeerRefusal {
        port.requireOwner(peer);
    }

    @Override
    public String toString() {
        return name.toString();
    }
}
