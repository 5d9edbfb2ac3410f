// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

/**
 * A question of a server to a client that has announced a connection from the port of one that the server has accepted:
 * it asks for a byte of urgent data on that connection.
 *
 * @param link of the client
 * @param slot of the announced connection
 * @param generation of the slot
 */
public record Challenge(Claimant link, int slot, int generation) {
    /**
     * Whether the client still announces the connection, or may have posted it. Any thread.
     *
     * @param port that the connection has come from
     * @return false if the client has taken the announcement back, and may not have seen this
     */
    public boolean isOpen(int port) {
        return link.awaits(generation, port);
    }
}
