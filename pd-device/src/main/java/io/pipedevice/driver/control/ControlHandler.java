// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

/** Handles the messages and the ends of control connections. Called on the driver's thread. */
public interface ControlHandler {
    /**
     * Whether descriptors may come along with a message. Others end the session.
     *
     * @param type of the message, any value
     * @return whether its handling takes them
     */
    boolean mayCarryDescriptors(int type);

    /**
     * Handles a request, and replaces it by its answer in the same message.
     *
     * @param request of a session that is open
     * @return what becomes of it
     * @throws Refusal if the answer is an error
     */
    Reply handle(ControlRequest request) throws Refusal;

    /**
     * Goes on with a request that was postponed, as {@link #handle}.
     *
     * @param session that has sent it
     * @param later goes on
     * @return what becomes of it now
     * @throws Refusal if the answer is an error
     */
    Reply resume(ControlSession session, Reply.Later later) throws Refusal;

    /** Called when a connection was refused because the remaining room is reserved for other users. */
    void overShare();

    /**
     * Called when a session broke a rule.
     *
     * @param session which
     * @param reason for the log
     */
    void misbehaved(ControlSession session, String reason);

    /**
     * Called when the other end is gone.
     *
     * @param session which
     */
    void ended(ControlSession session);
}
