// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.linux.UnixSocket;
import java.io.IOException;

/** Where PD Lib finds a PD Driver: a directory with the socket of a driver process, or a driver in the same process. */
@FunctionalInterface
public interface DriverEndpoint {
    /**
     * Opens a control connection: a SOCK_SEQPACKET socket on which {@link ControlMessage}s are exchanged.
     *
     * @return the connected socket; the caller closes it
     * @throws IOException if there is no driver; the message says where it was looked for
     */
    UnixSocket connect() throws IOException;
}
