// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

/** Handles the messages and the ends of control connections. Called on the driver's thread. */
interface ControlHandler {
    /** Handles a request, and replaces it by its answer in the same message. */
    Reply handle(ControlRequest request) throws Refusal;

    /** Goes on with a request of a session that was postponed, as {@link #handle}. */
    Reply resume(ControlSession session, Reply.Later later) throws Refusal;

    /** Called after the answer and its descriptors were sent. */
    void answered();

    /** Called when a connection was refused because the remaining room is reserved for other users. */
    void overShare();

    /** Called when a session broke a rule. */
    void misbehaved(ControlSession session, String reason);

    /** Called when the other end is gone. */
    void ended(ControlSession session);
}
