// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The addresses of this network namespace at which no listener with PipeDevice was found, though the kernel makes
 * connections to them: another program listens, or a rule of the packet filter leads elsewhere. For a tenth of a
 * second, connects to them do not look for a listener again, as long as the kernel names the same socket. Thread safe.
 */
public final class UnknownListeners {
    /** How long it counts that there was no listener. */
    static final long VALID_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A connect asks the kernel for the socket again if that was last done longer ago than this. */
    static final long RENEWAL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int MOST = 4096;

    private final ConcurrentHashMap<InetSocketAddress, Unknown> unknown = new ConcurrentHashMap<>();
    private final Sockets sockets;
    private final LongSupplier nanoClock;

    /** Finds the socket that a connection to an address would reach. Thread safe. */
    @FunctionalInterface
    interface Sockets {
        /**
         * Asks the kernel.
         *
         * @param to the address
         * @return its inode; 0 if there is none; negative if the kernel does not answer
         */
        long inode(InetSocketAddress to);
    }

    // No method references: the first one would slow down the start of the JVM.
    private static final class KernelSockets implements Sockets {
        @Override
        public long inode(InetSocketAddress to) {
            return KernelPort.inode(to);
        }
    }

    private static final class NanoClock implements LongSupplier {
        @Override
        public long getAsLong() {
            return System.nanoTime();
        }
    }

    /** What is known of an address. */
    private static final class Unknown {
        final Object source;
        final long inode;

        /** Until when it counts; 0 before a kernel connection was made. */
        volatile long untilNs;

        /** When the kernel was asked last. Two threads may ask at once. */
        volatile long checkedNs;

        Unknown(Object source, long inode, long nowNs) {
            this.source = source;
            this.inode = inode;
            this.checkedNs = nowNs;
        }
    }

    /** Creates it without addresses. */
    public UnknownListeners() {
        this(new KernelSockets(), new NanoClock());
    }

    /** For tests: with another kernel and another clock. */
    UnknownListeners(Sockets sockets, LongSupplier nanoClock) {
        this.sockets = sockets;
        this.nanoClock = nanoClock;
    }

    /**
     * Whether no listener was found at an address lately, so that there is no need to look for one.
     *
     * @param source of that knowledge, such as a session of a driver
     * @param to the address
     * @return false if it is not known, or may have changed
     */
    public boolean has(Object source, InetSocketAddress to) {
        Unknown found = unknown.get(to);
        if (found == null || found.untilNs == 0) {
            return false;
        }
        long nowNs = nanoClock.getAsLong();
        if (found.source.equals(source)
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
     * No listener was found at an address. That does not count before {@link #stands}.
     *
     * @param source of that knowledge
     * @param to the address
     * @param inode of the kernel's socket there; 0 if there is none
     */
    public void add(Object source, InetSocketAddress to, long inode) {
        if (unknown.size() >= MOST) {
            long nowNs = nanoClock.getAsLong();
            unknown.values().removeIf(each -> each.untilNs - nowNs <= 0);
        }
        if (unknown.size() >= MOST) {
            // Rather ask too often than keep more.
            unknown.clear();
        }
        unknown.put(to, new Unknown(source, inode, nanoClock.getAsLong()));
    }

    /**
     * The kernel connects to an address of {@link #add}. A connect that it refuses is tried again, by both ways.
     *
     * @param to the address
     */
    public void stands(InetSocketAddress to) {
        Unknown found = unknown.get(to);
        if (found != null && found.untilNs == 0) {
            // Never 0, which would mean another thing.
            found.untilNs = (nanoClock.getAsLong() + VALID_NS) | 1;
        }
    }
}
