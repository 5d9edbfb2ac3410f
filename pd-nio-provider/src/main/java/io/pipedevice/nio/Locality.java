// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Whether an address is one of this host's own. Thread safe. */
final class Locality {
    /** Where the addresses come from. */
    @FunctionalInterface
    interface Source {
        Set<InetAddress> addresses() throws IOException;
    }

    private static final System.Logger LOGGER = System.getLogger("io.pipedevice");
    private static final long REFRESH_NS = TimeUnit.SECONDS.toNanos(1);

    private final Source source;
    private final LongSupplier nanoClock;

    /** Replaced as a whole, under this object's monitor. */
    private volatile Set<InetAddress> addresses = Set.of();

    /** When the kernel may be asked again; guarded by this object's monitor. */
    private long askAgainAtNs;

    Locality() {
        this(() -> ProcessFacts.localAddresses(0), System::nanoTime);
    }

    Locality(Source source, LongSupplier nanoClock) {
        this.source = source;
        this.nanoClock = nanoClock;
        this.askAgainAtNs = nanoClock.getAsLong();
    }

    /** Looks at the kernel's list again before it says no, because addresses come, but at most once a second. */
    boolean isLocal(InetAddress address) {
        if (address.isLoopbackAddress() || addresses.contains(address)) {
            return true;
        }
        refresh();
        return addresses.contains(address);
    }

    private synchronized void refresh() {
        long now = nanoClock.getAsLong();
        if (now - askAgainAtNs < 0) {
            return;
        }
        askAgainAtNs = now + REFRESH_NS;
        try {
            addresses = Set.copyOf(source.addresses());
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the addresses of this host are not known", e);
        }
    }
}
