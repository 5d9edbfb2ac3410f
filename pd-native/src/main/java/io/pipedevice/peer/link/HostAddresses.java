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
 * The addresses of this host, in this process's network namespace: those of the loopback network, those that the kernel
 * lists, and those in local ranges, which the kernel does not list singly and a bind decides. Thread safe.
 */
final class HostAddresses {
    /** The addresses that this process sees. */
    static final HostAddresses THIS = new HostAddresses();

    private static final LazyLogger LOG = new LazyLogger(HostAddresses.class);
    private static final long REFRESH_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Path ANY_MAY_BE_BOUND = Path.of("/proc/sys/net/ipv4/ip_nonlocal_bind");

    /** Replaced as a whole, under this object's monitor. */
    private volatile Set<InetAddress> listed = Set.of();

    /** When the addresses were listed; written under this object's monitor. */
    private volatile long listedAtNs = System.nanoTime() - REFRESH_NS;

    /** The last address that could be bound without being in the list; forgotten when the list is refreshed. */
    private volatile InetAddress bound;

    /** Whether a client of this host can have an address, according to a list at most one second old. */
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
            LOG.get().log(Level.DEBUG, "cannot list the addresses of this host", e);
        }
        bound = null;
        listedAtNs = System.nanoTime();
    }

    /** Whether a socket can be bound to an address: one that was added within the last second, or one of a range. */
    private boolean canBind(InetAddress address) {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(address, 0))) {
            if (!socket.isBound() || Files.readString(ANY_MAY_BE_BOUND).startsWith("1")) {
                return false;
            }
        } catch (SocketException e) {
            return false;
        } catch (IOException e) {
            LOG.get().log(Level.DEBUG, "cannot find out whether any address may be bound: {0}", e.getMessage());
            return false;
        }
        bound = address;
        return true;
    }
}
