// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.peer.protocol.AcceptEntry;
import java.util.OptionalLong;

/** Which connections a listener takes from the clients that have a link with it. Thread safe. */
public interface ConnectionRule {
    /** The decision of a listener about a connection. */
    enum Verdict {
        /** It takes the connection. */
        TAKE,
        /** It does not, although the client has kept the rules. */
        REFUSE,
        /** It does not, because the client has broken the rules. */
        BREACH
    }

    /**
     * The network namespace of the sockets that a client of another process must show, one for each connection: the
     * socket that holds the connection's address.
     *
     * @param link the socket of the client's link
     * @return the kernel's number ({@link TcpPort#namespace}); empty if {@link #judge} is enough
     */
    OptionalLong portNamespace(Fd link);

    /**
     * Whether the listener takes a connection. Called under the lock of the client's link.
     *
     * @param from the link of the client
     * @param entry posted by the client, and valid
     * @return the decision
     */
    Verdict judge(Claimant from, AcceptEntry entry);
}
