// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import java.net.InetSocketAddress;

/** The way to a listener that was found. Used by one thread, once. */
@FunctionalInterface
public interface RingMeeting {
    /**
     * Connects. Does not wait for the listener to accept.
     *
     * @param from the connection's source; the kernel reserves its port if need be
     * @param to the listener's address
     * @param sizes the sizes that the program asked for
     * @return the connection, which the caller closes
     * @throws KernelFallbackException with the reason, if it cannot connect
     */
    RingConnection connect(SourcePort from, InetSocketAddress to, RingSizes sizes) throws KernelFallbackException;
}
