// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.lib.PdSource;
import io.pipedevice.nio.stat.KernelReason;
import java.io.IOException;
import java.net.InetSocketAddress;

/** The rings' side of a server that also listens on the kernel, at the same address. Thread safe. */
public interface RingListener {
    /**
     * The kernel listens: makes the server known to all clients. Where that fails, or is not possible yet, they use the
     * kernel.
     *
     * @param address the address that the kernel socket is bound to
     */
    void publish(InetSocketAddress address);

    /**
     * Returns the socket that is ready when a connection waits.
     *
     * @return null while there is none; stays this listener's
     */
    PdSource source();

    /**
     * Accepts a connection that waits.
     *
     * @return the connection, which the caller closes; null if none waits
     * @throws IOException if there is no memory or no descriptor for it at present; the connection keeps waiting, as
     *     one of the kernel does
     */
    RingConnection accept() throws IOException;

    /**
     * Returns where connections are held that the kernel has delivered, and whose clients may move to rings.
     *
     * @return null if there are none; the same at each call
     */
    default HeldConnections held() {
        return null;
    }

    /** Checks again whether clients can use rings. Called when a client came through the kernel. */
    void refresh();

    /**
     * Returns why a connection that the kernel has delivered now is not on rings, as far as this end knows.
     *
     * @return {@link KernelReason#NOT_PIPEDEVICE_PEER} while clients find rings here; else why they find none
     */
    KernelReason whyKernel();

    /**
     * Makes room for another listener at the same address, in as little time as possible: no further connection comes
     * to this one by rings. Must be followed by {@link #close}.
     */
    void withdraw();

    /** Withdraws the server from its clients, and resets the connections that wait. */
    void close();
}
