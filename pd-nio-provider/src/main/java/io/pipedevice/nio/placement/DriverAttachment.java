// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;

/**
 * An attachment of this JVM to a driver, and the number of its open sockets. After its driver has died, it is kept
 * until they are closed, because data that had arrived before can still be read. Thread safe.
 */
final class DriverAttachment {
    private final PipeDevice device;

    /** Sockets that are open; guarded by this object's monitor. */
    private int sockets;

    /** Whether it is to be closed with its last socket; guarded by this object's monitor. */
    private boolean retired;

    DriverAttachment(PipeDevice device) {
        this.device = device;
    }

    /** Opens a socket, which {@link #close} closes. */
    PdSocket open() throws PdException {
        PdSocket socket = device.socket();
        use();
        return socket;
    }

    /** Counts a socket that a listener of this attachment accepted. */
    synchronized void use() {
        sockets++;
    }

    /** Closes a socket of this attachment, once. */
    void close(PdSocket socket) {
        socket.close();
        boolean last;
        synchronized (this) {
            last = --sockets == 0 && retired;
        }
        if (last) {
            device.close();
        }
    }

    /** By which the driver knows it. */
    int number() {
        return device.containerId();
    }

    /** Whether its driver serves it; once it does not, it never does again. */
    boolean isServed() {
        return device.isServed();
    }

    synchronized int sockets() {
        return sockets;
    }

    /** The driver is gone: closes the attachment as soon as no socket is open. */
    void retire() {
        boolean unused;
        synchronized (this) {
            unused = !retired && sockets == 0;
            retired = true;
        }
        if (unused) {
            device.close();
        }
    }
}
