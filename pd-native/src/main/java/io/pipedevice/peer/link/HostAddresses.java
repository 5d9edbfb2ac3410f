// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Which addresses are this host's, in this process's network namespace: those of the loopback network, those that the kernel
 * lists, and those of which it lists only a range, to which it lets a socket be bound. Thread safe.
 */
final class HostAddresses {
    /** As this process sees them. */
    static final HostAddresses THIS = new HostAddresses();

    private static final LazyLogger LOG = new LazyLogger(HostAddresses.class);
    private static final long REFRESH_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Path ANY_MAY_BE_BOUND = Path.of("/proc/sys/net/ipv4/ip_nonlocal_bind");

    /** Replaced as a whole, under this object's monitor. */
    private volatile Set<InetAddress> listed = Set.of();

    /** When they were asked for; written under this object's monitor. */
    private volatile long listedAtNs = System.nanoTime() - REFRESH_NS;

    /** The last address that was not in the list, and could be bound; forgotten with the list. */
    private volatile InetAddress bound;

    /** Whether a client of this host can have an address, as far as was known within the last second. */
    boolean contains(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return true;
        }
        refresh();
        return listed.contains(address) || address.equals(bound) || canBind(address);
    }

    private void refresh() {
        if (System.nanoTime() - listedAtNs >= REFRESH_NS) {
            refreshNow();
        }
    }

    private synchronized void refreshNow() {
        if (System.nanoTime() - listedAtNs < REFRESH_NS) {
            return;
        }
        try {
            listed = ProcessFacts.localAddresses(0);
        } catch (IOException e) {
            LOG.get().log(Level.DEBUG, "the addresses of this host are not known", e);
        }
        bound = null;
        listedAtNs = System.nanoTime();
    }

    /** An address that has come within the last second, or one of a range. */
    private boolean canBind(InetAddress address) {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(address, 0))) {
            if (!socket.isBound() || Files.readString(ANY_MAY_BE_BOUND).startsWith("1")) {
                return false;
            }
        } catch (SocketException e) {
            return false;
        } catch (IOException e) {
            LOG.get().log(Level.DEBUG, "whether any address may be bound is not known: {0}", e.getMessage());
            return false;
        }
        bound = address;
        return true;
    }
}
