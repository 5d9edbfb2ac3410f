// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.lib.ControlMessage;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.ReceivedFds;

/** What is done about the messages and the ends of control connections; called on the driver's thread. */
interface ControlHandler {
    /**
     * Handles a request in place and leaves its answer there; returns the descriptors to send along, or null if the request is
     * to be handled again after {@link ControlPlane#resume}.
     */
    Fd[] handle(ControlSession session, ControlMessage message, ReceivedFds fds) throws Refusal;

    /** The answer was sent, and what went along with it. */
    void answered();

    /** A connection was refused because of the room that is kept for other users. */
    void overShare();

    /** The session broke a rule. */
    void misbehaved(ControlSession session, String reason);

    /** The other end is gone. */
    void ended(ControlSession session);
}
