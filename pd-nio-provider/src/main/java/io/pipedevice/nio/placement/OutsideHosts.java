// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The destinations whose connections were found to have no other end that takes part. For a second, then for twice as
 * long each time, connections to them do not ask. The pauses of a destination that took part before begin shorter: its
 * program finds a driver that has come back a little later than this one. Thread safe.
 */
final class OutsideHosts {
    static final long FIRST_NS = TimeUnit.SECONDS.toNanos(1);
    static final long FIRST_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(20);
    static final long MOST_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int MOST = 4096;

    private final ConcurrentHashMap<InetSocketAddress, Pause> pauses = new ConcurrentHashMap<>();
    private final LongSupplier nanoClock;

    /** @param why the last connection stayed on the kernel; null for a destination that took part */
    private record Pause(long untilNs, long lengthNs, KernelFallbackException why) {}

    OutsideHosts(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /**
     * Refuses a connection that is not to ask now.
     *
     * @throws KernelFallbackException the reason of the last connection to the same destination
     */
    void check(InetSocketAddress to) throws KernelFallbackException {
        Pause pause = pauses.get(to);
        if (pause != null && pause.why != null && pause.untilNs - nanoClock.getAsLong() > 0) {
            throw pause.why;
        }
    }

    /** A connection had no other end that takes part, or none to which this process may connect by rings. */
    void outside(InetSocketAddress to, KernelFallbackException why) {
        long now = nanoClock.getAsLong();
        makeRoom(now);
        pauses.merge(to, new Pause(now + FIRST_NS, FIRST_NS, why), (old, first) -> {
            if (old.untilNs - now > 0) {
                // This connection asked before the pause began, at the same time as the one that began it.
                return old;
            }
            long length = Math.min(2 * old.lengthNs, MOST_NS);
            return new Pause(now + length, length, why);
        });
    }

    private void makeRoom(long now) {
        if (pauses.size() >= MOST) {
            pauses.values().removeIf(pause -> pause.untilNs - now <= 0);
        }
        if (pauses.size() >= MOST) {
            // Rather ask too often than keep more.
            pauses.clear();
        }
    }

    /** A connection went through rings. */
    void inside(InetSocketAddress to) {
        Pause last = pauses.get(to);
        if (last == null || last.lengthNs != FIRST_AGAIN_NS / 2) {
            long now = nanoClock.getAsLong();
            makeRoom(now);
            pauses.put(to, new Pause(now, FIRST_AGAIN_NS / 2, null));
        }
    }
}
