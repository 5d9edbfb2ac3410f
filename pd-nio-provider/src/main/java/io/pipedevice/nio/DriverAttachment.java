// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;

/**
 * An attachment of this JVM to a driver, and how many sockets use it: one whose driver died is kept until they are
 * closed, since what had arrived before can still be read. Thread safe.
 */
final class DriverAttachment {
    private final PipeDevice device;

    /** Sockets that are open; guarded by this object's monitor. */
    private int sockets;

    /** Whether no new sockets are opened here; guarded by this object's monitor. */
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

    /** Whether its driver serves it; once it does not, it never does again. */
    boolean isServed() {
        return device.isServed();
    }

    synchronized int sockets() {
        return sockets;
    }

    /** The driver is gone: frees everything as soon as no socket is open. */
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
