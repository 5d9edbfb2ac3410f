// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

/** The services that the server's side of a link needs from its listener. Thread safe. */
public interface LinkListener {
    /**
     * How many connections of one link may wait to be accepted.
     *
     * @return at least 1
     */
    int backlog();

    /**
     * The client of a link is gone. Connections that it made before still wait to be accepted.
     *
     * @param link the link of that client; the calling thread does not hold its lock
     */
    void lost(ServerLink link);
}
