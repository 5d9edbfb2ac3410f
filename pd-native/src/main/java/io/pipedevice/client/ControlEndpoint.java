// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.DriverEndpoint;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;

/** A driver that is reached by a control connection. Thread safe. */
public interface ControlEndpoint extends DriverEndpoint {
    /**
     * Opens a control connection: a SOCK_SEQPACKET socket on which {@link ControlMessage}s are exchanged.
     *
     * @return the connected socket; the caller closes it
     * @throws IOException if there is no driver; the message says where it was looked for
     */
    UnixSocket connect() throws IOException;

    @Override
    default PipeDevice attach(PdOptions options) throws PdException {
        return AttachedDevice.attach(this, options);
    }
}
