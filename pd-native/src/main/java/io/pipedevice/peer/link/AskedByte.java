// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

/**
 * The byte that a server has asked a client for. Each client is asked for another one: the byte tells which of several
 * clients has the connection.
 *
 * @param challenge the question to the client
 * @param value 0 to 255
 */
public record AskedByte(Challenge challenge, int value) {
    /** Notifies the client that the connection stays on the kernel. */
    public void leave() {
        challenge.link().leave(challenge.slot(), challenge.generation());
    }
}
