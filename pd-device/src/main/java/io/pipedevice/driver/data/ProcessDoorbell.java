// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.linux.UnixSocket;

/** The driver's end of a process's doorbell. Belongs to the driver's thread. */
public final class ProcessDoorbell {
    final UnixSocket socket;

    /** {@link Notifier}: whether it must be rung at the end of the turn. */
    boolean ringing;

    /**
     * Takes ownership of a socket.
     *
     * @param socket the driver's end
     */
    public ProcessDoorbell(UnixSocket socket) {
        this.socket = socket;
    }

    /** Rings. If the process is gone, its control connection reports that. */
    public void ring() {
        socket.ring();
    }
}
