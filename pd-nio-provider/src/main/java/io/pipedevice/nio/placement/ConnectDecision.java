// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.nio.stat.KernelReason;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Whether a connection goes through rings, or through the kernel for a reason. Immutable.
 *
 * @param rings the connection, which the caller of {@link #decide} closes; null if it goes through the kernel
 * @param reason null if it goes through rings
 * @param detail details of the reason; null if there are none
 */
public record ConnectDecision(RingConnection rings, KernelReason reason, String detail) {
    /** The longest wait for room in a backlog: TCP, too, tries again after a second. */
    private static final long ROOM_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Whether the kernel's connection may lead to a process that was not found by its address.
     *
     * @return true if it pays to ask the driver once the connection stands
     */
    public boolean mayBeElsewhere() {
        return reason == KernelReason.PEER_NOT_LOCAL || reason == KernelReason.NO_RENDEZVOUS;
    }

    private static ConnectDecision kernel(KernelReason reason, String detail) {
        return new ConnectDecision(null, reason, detail);
    }

    /**
     * Decides, and connects if the decision is for rings. Otherwise only a source port is left behind, which the kernel
     * channel has. The caller holds the channel's locks.
     *
     * @param placement finds the listener
     * @param locality knows the address that the connection comes from
     * @param sizes the sizes of rings that the program asked for
     * @param kernel holds the port of the connection, whichever way it goes
     * @param to the listener's address: resolved, not the wildcard
     * @param timeoutMillis as for {@link Placement#meet}
     * @param waits asked when the listener's backlog is full, and again and again: whether the thread may wait for the
     *     listener to accept
     * @return the connection, or the reason against it
     */
    public static ConnectDecision decide(
            Placement placement,
            Locality locality,
            RingSizes sizes,
            SocketChannel kernel,
            InetSocketAddress to,
            int timeoutMillis,
            BooleanSupplier waits) {
        if (!placement.reaches(to.getAddress())) {
            return kernel(KernelReason.PEER_NOT_LOCAL, null);
        }
        if (to.getPort() == 0 || placement.hasNoListener(to)) {
            return kernel(KernelReason.NO_RENDEZVOUS, null);
        }
        try {
            RingMeeting meeting = placement.meet(to, timeoutMillis);
            SourcePort from = new SourcePort(locality, kernel, to.getAddress());
            return new ConnectDecision(connect(meeting, from, to, sizes, roomNs(timeoutMillis), waits), null, null);
        } catch (KernelFallbackException e) {
            return kernel(e.reason(), e.getMessage());
        }
    }

    /** How long to wait for room. Half of a timeout is left to the kernel. */
    private static long roomNs(int timeoutMillis) {
        return timeoutMillis == Placement.UNBOUNDED
                ? ROOM_NS
                : Math.min(ROOM_NS, TimeUnit.MILLISECONDS.toNanos(timeoutMillis) / 2);
    }

    /** Connects, if need be when the listener has accepted others. */
    private static RingConnection connect(
            RingMeeting meeting,
            SourcePort from,
            InetSocketAddress to,
            RingSizes sizes,
            long roomNs,
            BooleanSupplier waits)
            throws KernelFallbackException {
        long begin = System.nanoTime();
        while (true) {
            try {
                return meeting.connect(from, to, sizes);
            } catch (KernelFallbackException e) {
                long left = roomNs - (System.nanoTime() - begin);
                boolean again = e.reason() == KernelReason.BACKLOG_FULL
                        && left > 0
                        && waits.getAsBoolean()
                        && meeting.awaitRoom(left, waits);
                if (!again) {
                    throw e;
                }
            }
        }
    }
}
