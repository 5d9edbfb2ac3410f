// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.peer.protocol.AcceptEntry;

/** Which connections a listener takes from the clients that have a link with it. Thread safe. */
public interface ConnectionRule {
    /**
     * Whether a client of another process must show the socket that holds the address of each connection.
     *
     * @return false if {@link #permits} is enough; the same at each call
     */
    boolean wantsPorts();

    /**
     * Whether the listener takes a connection. Called under the lock of the client's link.
     *
     * @param client the number of the client's process, as in its credentials
     * @param entry posted by the client, and valid
     * @return false if the connection is refused
     */
    boolean permits(int client, AcceptEntry entry);
}
