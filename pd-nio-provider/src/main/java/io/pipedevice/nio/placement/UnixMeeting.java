// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.linux.Errno;
import io.pipedevice.nio.stat.KernelReason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Connects to a Unix-domain socket in the place of a TCP address. Only a wait for room in the backlog may take long: a
 * Unix-domain socket connects at once, or not.
 *
 * @param provider the JDK's own
 * @param locality knows the address that the connection would come from
 * @param path the socket's
 */
public record UnixMeeting(SelectorProvider provider, Locality locality, UnixDomainSocketAddress path) {
    /** The longest wait for room in the backlog, as for rings. TCP then has a backlog of its own. */
    private static final long ROOM_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * All that the JDK says of the error. Where the C library speaks another language, a connect does not wait for
     * room.
     */
    private static final String IS_FULL = Errno.text(Errno.EAGAIN);

    private static final long SHORTEST_SLEEP_MS = 1;
    private static final long LONGEST_SLEEP_MS = 16;

    /**
     * Connects.
     *
     * @param kernel holds the port of the connection
     * @param to the TCP address: resolved, not the wildcard
     * @param timeoutMillis the longest time to connect; {@link Placement#UNBOUNDED} for no limit
     * @param waits asked when the backlog is full, and again and again: whether the thread may wait
     * @return the connection, whose channel the caller closes
     * @throws KernelFallbackException if the socket is not there or refuses, which leaves nothing behind
     */
    public UnixConnection connect(SocketChannel kernel, InetSocketAddress to, int timeoutMillis, BooleanSupplier waits)
            throws KernelFallbackException {
        SocketChannel channel = connect(roomNs(timeoutMillis), waits);
        boolean done = false;
        try {
            InetSocketAddress from = new SourcePort(locality, kernel, to.getAddress()).reserve();
            done = true;
            return new UnixConnection(channel, from, to);
        } finally {
            if (!done) {
                close(channel);
            }
        }
    }

    private static long roomNs(int timeoutMillis) {
        return timeoutMillis == Placement.UNBOUNDED
                ? ROOM_NS
                : Math.min(ROOM_NS, TimeUnit.MILLISECONDS.toNanos(timeoutMillis) / 2);
    }

    /**
     * Connects, if need be when the server has accepted others. The thread sleeps, because a connect that blocks could
     * not be ended by a close.
     */
    private SocketChannel connect(long roomNs, BooleanSupplier waits) throws KernelFallbackException {
        long begin = System.nanoTime();
        long sleepMs = SHORTEST_SLEEP_MS;
        while (true) {
            SocketChannel channel = attempt();
            if (channel != null) {
                return channel;
            }
            if (System.nanoTime() - begin >= roomNs || !waits.getAsBoolean()) {
                throw new KernelFallbackException(KernelReason.BACKLOG_FULL, path.toString());
            }
            try {
                Thread.sleep(sleepMs);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new KernelFallbackException(KernelReason.BACKLOG_FULL, path.toString());
            }
            sleepMs = Math.min(2 * sleepMs, LONGEST_SLEEP_MS);
        }
    }

    /** Null if the backlog is full. The JDK has closed the channel of such an attempt. */
    private SocketChannel attempt() throws KernelFallbackException {
        SocketChannel channel;
        try {
            channel = provider.openSocketChannel(StandardProtocolFamily.UNIX);
        } catch (IOException e) {
            throw new KernelFallbackException(KernelReason.NO_DESCRIPTORS, e.getMessage());
        }
        boolean done = false;
        try {
            channel.configureBlocking(false);
            done = channel.connect(path);
            return done ? channel : null;
        } catch (IOException e) {
            if (IS_FULL.equals(e.getMessage())) {
                return null;
            }
            throw new KernelFallbackException(KernelReason.NO_UNIX_SOCKET, path + ": " + e.getMessage());
        } finally {
            if (!done) {
                close(channel);
            }
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // A close fails only after the descriptor has been closed.
            return;
        }
    }
}
