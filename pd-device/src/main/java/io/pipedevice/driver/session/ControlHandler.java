// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.protocol.ControlMessage;

/** Handles the messages and the ends of control connections. Called on the driver's thread. */
interface ControlHandler {
    /**
     * Handles a request, and replaces it by its answer in the same message. Returns the descriptors to send with the
     * answer; null if the request must be handled again after {@link ControlPlane#resume}; or {@link
     * Introductions#NO_ANSWER}.
     */
    Fd[] handle(ControlSession session, ControlMessage message, ReceivedFds fds) throws Refusal;

    /** Called after the answer and its descriptors were sent. */
    void answered();

    /** Called when a connection was refused because the remaining room is reserved for other users. */
    void overShare();

    /** Called when a session broke a rule. */
    void misbehaved(ControlSession session, String reason);

    /** Called when the other end is gone. */
    void ended(ControlSession session);
}
