// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Creates the rings of this JVM's connections, and tells which addresses they reach. Thread safe. Lives as long as the
 * JVM.
 */
public interface Placement {
    /** The timeout of a thread that may wait for as long as it takes to connect. */
    int UNBOUNDED = 0;

    /**
     * Does in advance the slow part of publishing the first listener of this JVM. A client that waits for a server to
     * come back connects as soon as the kernel has the server's port, and should then find its rings.
     */
    void warmUp();

    /**
     * Prepares to publish a server that is going to listen on the kernel, or announces it where a client that connects
     * as soon as the kernel listens would not find it otherwise.
     *
     * @param kernel the kernel socket, not bound yet; stays open until the listener is withdrawn
     * @param address the address that it is going to be bound to; null if the kernel chooses the port
     * @param backlog how many connections may wait to be accepted
     * @param receiveSize size of the rings of accepted connections, in bytes; 0 for the best one
     * @param changed is called when {@link RingListener#source} returns another object than before; by any thread
     * @return the listener, which the caller {@linkplain RingListener#publish publishes} when the kernel listens, and
     *     closes
     */
    RingListener listen(
            ServerSocketChannel kernel, InetSocketAddress address, int backlog, int receiveSize, Runnable changed);

    /**
     * Whether a connection to an address may go through rings. If not, it goes through the kernel as a connection to
     * another host does, and {@link #meet} is not called.
     *
     * @param address not the wildcard
     * @return whether to look for a listener there
     */
    boolean reaches(InetAddress address);

    /**
     * Whether {@link #meet} would find no listener at an address that this placement {@link #reaches}, as was found out
     * lately.
     *
     * @param to not the wildcard
     * @return false if that is not known
     */
    default boolean hasNoListener(InetSocketAddress to) {
        return false;
    }

    /**
     * Begins the meeting of a connection to an address that this placement does not {@link #reaches reach}, or at which
     * it has found no listener: it may be one of another network namespace. The kernel makes that connection; then it
     * may change to rings.
     *
     * @param kernel makes the connection; not connected yet, and bound by this call if it was not
     * @param to the address
     * @return null if the connection stays on the kernel, because its other end is elsewhere as far as is known
     * @throws KernelFallbackException the reason, if another one was found at the last connection to the same address
     */
    default KernelMeeting introduce(SocketChannel kernel, InetSocketAddress to) throws KernelFallbackException {
        return null;
    }

    /**
     * Finds the listener of an address that this placement {@link #reaches}.
     *
     * @param to the listener's address
     * @param timeoutMillis the longest wait, for a thread that serves other channels too or must not wait for long; the
     *     placement may wait for less. {@link #UNBOUNDED} for any other thread
     * @return the way to the listener
     * @throws KernelFallbackException with the reason, if there is no listener, or none that this process may connect
     *     to
     */
    RingMeeting meet(InetSocketAddress to, int timeoutMillis) throws KernelFallbackException;
}
