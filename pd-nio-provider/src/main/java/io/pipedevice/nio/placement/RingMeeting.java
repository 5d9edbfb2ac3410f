// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;

/** The way to a listener that was found. Used by one thread, for one connection. */
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

    /**
     * Waits for room in the listener's backlog, which {@link #connect} has found full.
     *
     * @param nanos the longest wait
     * @param goesOn asked again and again: whether the thread still wants to wait
     * @return whether to connect again
     */
    default boolean awaitRoom(long nanos, BooleanSupplier goesOn) {
        return false;
    }
}
