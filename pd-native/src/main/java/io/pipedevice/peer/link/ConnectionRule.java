// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.peer.protocol.AcceptEntry;

/** Which connections a listener takes from the clients that have a link with it. Thread safe. */
public interface ConnectionRule {
    /** What a listener does with a connection. */
    enum Verdict {
        /** It takes the connection. */
        TAKE,
        /** It does not, although the client has kept the rules. */
        REFUSE,
        /** It does not, because the client has broken the rules. */
        BREACH
    }

    /**
     * Whether a client of another process must show the socket that holds the address of each connection.
     *
     * @return false if {@link #judge} is enough; the same at each call
     */
    boolean wantsPorts();

    /**
     * Whether the listener takes a connection. Called under the lock of the client's link.
     *
     * @param from the link of the client
     * @param entry posted by the client, and valid
     * @return what happens to the connection
     */
    Verdict judge(Claimant from, AcceptEntry entry);
}
