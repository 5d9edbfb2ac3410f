// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import java.lang.System.Logger.Level;

/**
 * The last message of a control connection, with the reason for which the driver closes it. Belongs to the driver's
 * thread.
 */
final class Goodbye {
    private static final System.Logger LOG = new LazyLogger(Goodbye.class).get();

    private final ControlMessage message = new ControlMessage();

    /** Sends the reason, if the other end still receives. The caller closes the connection. */
    void say(UnixSocket socket, int errno, String reason) {
        message.request(ControlMessage.GOODBYE, 0).fail(errno, reason);
        try {
            if (socket.send(message.memory(), 0, ControlMessage.LENGTH) == UnixSocket.WOULD_BLOCK) {
                LOG.log(Level.DEBUG, "the reason was not sent, because the process does not read: {0}", reason);
            }
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "the process was gone before the reason was sent: {0}", reason);
        }
    }
}
