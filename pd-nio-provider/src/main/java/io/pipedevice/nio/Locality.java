// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

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

/** Whether an address is one of this host's own, and where connections to it come from. Thread safe. */
final class Locality {
    /** Where the addresses come from. */
    @FunctionalInterface
    interface Source {
        Set<InetAddress> addresses() throws IOException;
    }

    /** What the kernel would connect from. */
    @FunctionalInterface
    interface Route {
        InetAddress sourceFor(InetAddress to) throws IOException;
    }

    /** What the kernel says; one class in place of three lambdas, which a JVM that starts would link. */
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

    private static final InetAddress LOOPBACK_4 = InetAddress.ofLiteral("127.0.0.1");
    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");
    private static final int ANY_PORT = 9;
    private static final long REFRESH_NS = TimeUnit.SECONDS.toNanos(1);

    private final Source source;
    private final Route route;
    private final LongSupplier nanoClock;

    /** Replaced as a whole, under this object's monitor. */
    private volatile Set<InetAddress> addresses = Set.of();

    /** What the kernel said, of the addresses above; emptied with them. */
    private final Map<InetAddress, InetAddress> sources = new ConcurrentHashMap<>();

    /** When the kernel may be asked again; written under this object's monitor. */
    private volatile long askAgainAtNs;

    /** @param kernel opens the channel that asks for routes */
    Locality(SelectorProvider kernel) {
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

    /** Nothing is sent: to connect a datagram's socket is to look the route up. */
    private static InetAddress connectedFrom(SelectorProvider kernel, InetAddress to) throws IOException {
        try (DatagramChannel channel = kernel.openDatagramChannel(StandardProtocolFamily.INET)) {
            channel.connect(new InetSocketAddress(to, ANY_PORT));
            return ((InetSocketAddress) channel.getLocalAddress()).getAddress();
        }
    }

    /** Looks at the kernel's list again once a second, because addresses come, and go to other hosts. */
    boolean isLocal(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return true;
        }
        refresh();
        return addresses.contains(address);
    }

    /**
     * Whether an address is one of this host's own, and says so by itself: to which interface a link-local address belongs
     * is not said on the way.
     */
    boolean isUnambiguous(InetAddress address) {
        return isLocal(address) && !address.isLinkLocalAddress();
    }

    /**
     * Where Linux has connections to an own address come from: from that address, but with IPv4 from what the route says,
     * as of a second address in the same network the first one.
     */
    InetAddress sourceFor(InetAddress to) throws IOException {
        if (to instanceof Inet6Address) {
            return to;
        }
        if (to.isLoopbackAddress()) {
            return LOOPBACK_4;
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
        // Last: a thread that looks before waits for this look, because the list before may lack what it looks for.
        askAgainAtNs = now + REFRESH_NS;
    }
}
