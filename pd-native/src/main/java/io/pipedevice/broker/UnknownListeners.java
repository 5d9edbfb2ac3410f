// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The addresses of this network namespace at which the driver knows no listener, though the kernel makes connections to
 * them: another program listens, or a rule of the packet filter leads elsewhere. For a tenth of a second, connects to
 * them do not ask the driver again, as long as the kernel names the same socket. Thread safe.
 */
final class UnknownListeners {
    /** How long the driver's answer counts. */
    static final long VALID_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A connect asks the kernel for the socket again if that was last done longer ago than this. */
    static final long RENEWAL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int MOST = 4096;

    private final ConcurrentHashMap<InetSocketAddress, Unknown> unknown = new ConcurrentHashMap<>();
    private final Sockets sockets;
    private final LongSupplier nanoClock;

    /** Finds the socket that a connection to an address would reach. */
    @FunctionalInterface
    interface Sockets {
        /**
         * Asks the kernel.
         *
         * @return its inode; 0 if there is none; negative if the kernel does not answer
         */
        long inode(InetSocketAddress to);
    }

    /** The driver's answer about an address. */
    private static final class Unknown {
        final Object session;
        final long inode;

        /** Until when it counts; 0 before a connection of the kernel's has stood. */
        volatile long untilNs;

        /** When the kernel was asked last. Two threads may ask at once. */
        volatile long checkedNs;

        Unknown(Object session, long inode, long nowNs) {
            this.session = session;
            this.inode = inode;
            this.checkedNs = nowNs;
        }
    }

    /**
     * Creates it without addresses.
     *
     * @param sockets asks the kernel
     * @param nanoClock the time
     */
    UnknownListeners(Sockets sockets, LongSupplier nanoClock) {
        this.sockets = sockets;
        this.nanoClock = nanoClock;
    }

    /**
     * Whether the driver of a session knows no listener of an address, so that it need not be asked.
     *
     * @return false if it is not known, or may have changed
     */
    boolean has(Object session, InetSocketAddress to) {
        Unknown found = unknown.get(to);
        if (found == null || found.untilNs == 0) {
            return false;
        }
        long nowNs = nanoClock.getAsLong();
        if (found.session.equals(session)
                && found.untilNs - nowNs > 0
                && (nowNs - found.checkedNs < RENEWAL_NS || isSame(found, to, nowNs))) {
            return true;
        }
        unknown.remove(to, found);
        return false;
    }

    private boolean isSame(Unknown found, InetSocketAddress to, long nowNs) {
        found.checkedNs = nowNs;
        return sockets.inode(to) == found.inode;
    }

    /**
     * The driver knows no listener of an address. That does not count before {@link #stands}.
     *
     * @param inode of the socket about which it was asked; 0 if there is none
     */
    void add(Object session, InetSocketAddress to, long inode) {
        if (unknown.size() >= MOST) {
            long nowNs = nanoClock.getAsLong();
            unknown.values().removeIf(each -> each.untilNs - nowNs <= 0);
        }
        if (unknown.size() >= MOST) {
            // Rather ask too often than keep more.
            unknown.clear();
        }
        unknown.put(to, new Unknown(session, inode, nanoClock.getAsLong()));
    }

    /** The kernel has connected to an address of {@link #add}. A connect that it refuses is tried again, by both ways. */
    void stands(InetSocketAddress to) {
        Unknown found = unknown.get(to);
        if (found != null && found.untilNs == 0) {
            // Never 0, which would mean another thing.
            found.untilNs = (nanoClock.getAsLong() + VALID_NS) | 1;
        }
    }
}
