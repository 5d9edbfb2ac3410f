// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.jdk.Literals;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The addresses of this host, and the source address of a connection to each of them. Thread safe. */
public final class Locality {
    /** Lists the addresses of this host. */
    @FunctionalInterface
    interface Source {
        Set<InetAddress> addresses() throws IOException;
    }

    /** Finds the address that the kernel would connect from. */
    @FunctionalInterface
    interface Route {
        InetAddress sourceFor(InetAddress to) throws IOException;
    }

    /** Asks the kernel. One class in place of three lambdas, which a JVM would link as it starts. */
    private record Host(SelectorProvider kernel) implements Source, Route, LongSupplier {
        @Override
        public Set<InetAddress> addresses() throws IOException {
            return ProcessFacts.localAddresses(0);
        }

        @Override
        public InetAddress sourceFor(InetAddress to) throws IOException {
            return connectedFrom(kernel, to);
        }

        @Override
        public long getAsLong() {
            return System.nanoTime();
        }
    }

    private static final InetAddress LOOPBACK_4 = Literals.address("127.0.0.1");
    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");
    private static final int ANY_PORT = 9;
    private static final long REFRESH_NS = TimeUnit.SECONDS.toNanos(1);

    private final Source source;
    private final Route route;
    private final LongSupplier nanoClock;

    /** Replaced as a whole, under this object's monitor. */
    private volatile Set<InetAddress> addresses = Set.of();

    /** The kernel's answers for the addresses above; emptied with them. */
    private final Map<InetAddress, InetAddress> sources = new ConcurrentHashMap<>();

    /** The time from which on the list is read again; written under this object's monitor. */
    private volatile long askAgainAtNs;

    /**
     * Creates one that asks the kernel, and keeps its answers for a second.
     *
     * @param kernel opens the channels that ask for routes
     */
    public Locality(SelectorProvider kernel) {
        this(new Host(kernel));
    }

    private Locality(Host host) {
        this(host, host, host);
    }

    Locality(Source source, Route route, LongSupplier nanoClock) {
        this.source = source;
        this.route = route;
        this.nanoClock = nanoClock;
        this.askAgainAtNs = nanoClock.getAsLong();
    }

    /** Sends nothing: the connect of a datagram socket looks the route up. */
    private static InetAddress connectedFrom(SelectorProvider kernel, InetAddress to) throws IOException {
        boolean six = to instanceof Inet6Address;
        try (DatagramChannel channel =
                kernel.openDatagramChannel(six ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET)) {
            channel.connect(new InetSocketAddress(to, ANY_PORT));
            return ((InetSocketAddress) channel.getLocalAddress()).getAddress();
        }
    }

    /**
     * Whether an address is this host's own. Reads the kernel's list once a second, because addresses move between
     * hosts.
     */
    boolean isLocal(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return true;
        }
        refresh();
        return addresses.contains(address);
    }

    /**
     * Whether an address is this host's own, and of this host alone. A link-local address is not: each link may have
     * it, and the connection does not say which link is meant.
     */
    boolean isUnambiguous(InetAddress address) {
        return isLocal(address) && !address.isLinkLocalAddress();
    }

    /**
     * The address that Linux gives to connections to an address: for an own one of IPv6 that address itself; otherwise
     * the one that the route names, which for a second own address in the same network is the first one.
     */
    InetAddress sourceFor(InetAddress to) throws IOException {
        if (to.isLoopbackAddress()) {
            return to instanceof Inet6Address ? to : LOOPBACK_4;
        }
        if (to instanceof Inet6Address && isLocal(to)) {
            return to;
        }
        InetAddress from = sources.get(to);
        if (from == null) {
            from = route.sourceFor(to);
            sources.put(to, from);
        }
        return from;
    }

    private void refresh() {
        if (nanoClock.getAsLong() - askAgainAtNs >= 0) {
            refreshNow();
        }
    }

    private synchronized void refreshNow() {
        long now = nanoClock.getAsLong();
        if (now - askAgainAtNs < 0) {
            return;
        }
        try {
            addresses = Set.copyOf(source.addresses());
            sources.clear();
        } catch (IOException e) {
            LOG.get().log(System.Logger.Level.DEBUG, "the addresses of this host are not known", e);
        }
        // Set last: until then other threads wait for this list, because the previous one may lack their address.
        askAgainAtNs = now + REFRESH_NS;
    }
}
