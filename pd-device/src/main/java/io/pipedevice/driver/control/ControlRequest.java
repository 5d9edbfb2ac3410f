// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.protocol.ControlMessage;

/**
 * A message of a control connection, and its descriptors, until it is answered. The object is used again for the next
 * message, of any session, unless the answer comes {@linkplain Reply.Later later}: then it belongs to this message for
 * good. Belongs to the driver's thread.
 */
public final class ControlRequest {
    private final ControlMessage message = new ControlMessage();
    private final ReceivedFds fds;
    private ControlSession session;

    /** Null before the message was postponed, as the next field. */
    private Reply.Later later;

    private Runnable whenReady;

    ControlRequest() {
        fds = new ReceivedFds(unwanted -> session.dispose(unwanted));
    }

    /** The next message is of this session. */
    void of(ControlSession next) {
        session = next;
    }

    /**
     * The session that has sent the message.
     *
     * @return the session
     */
    public ControlSession session() {
        return session;
    }

    /**
     * The process that has attached on the session.
     *
     * @return null if none has
     */
    public AttachedProcess process() {
        return session.process();
    }

    /**
     * The message, which its answer replaces.
     *
     * @return any values
     */
    public ControlMessage message() {
        return message;
    }

    /**
     * The descriptors that came along. Those that were not taken are closed when the message is answered.
     *
     * @return owned by this
     */
    public ReceivedFds fds() {
        return fds;
    }

    /** Keeps the message until its work calls {@link #resume}, which runs an action. */
    void postpone(Reply.Later reply, Runnable action) {
        later = reply;
        whenReady = action;
    }

    /**
     * Goes on with the message, which was {@linkplain Reply.Later postponed}, because its work is done. Has no effect
     * if its session has ended.
     */
    public void resume() {
        whenReady.run();
    }

    /** Releases what the message holds, which was postponed, because its session ends. */
    void abandon() {
        later.abandon();
        fds.closeAll();
    }
}
