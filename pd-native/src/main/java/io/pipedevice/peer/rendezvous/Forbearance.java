// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.peer.link.PeerRefusal;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Recent failures, by key, so that the same attempt is not repeated at once. Thread safe. */
final class Forbearance<K> {
    /**
     * The most failures that are remembered. Further ones are not remembered, so their attempts are repeated at once.
     */
    static final int MOST = 1024;

    private static final long USUAL_NS = TimeUnit.SECONDS.toNanos(1);

    /** After a full backlog. A listener whose clients come faster than it greets them has room again soon. */
    private static final long BACKLOG_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * The ratio of the pause to the time that a check of another process's descriptors took. That process decides how
     * many descriptors it has, so the checks get at most a hundredth of the time.
     */
    private static final int TIMES_AS_LONG = 100;

    /** The longest pause, so that a process that owns its port again is used within seconds. */
    static final long MOST_NS = TimeUnit.SECONDS.toNanos(10);

    private final ConcurrentHashMap<K, Failure> failures = new ConcurrentHashMap<>();

    private record Failure(PeerRefusal.Reason reason, String message, long until) {
        boolean isOver(long now) {
            return until - now <= 0;
        }
    }

    /** Throws the refusal again if the key was refused a moment ago. */
    void check(K key) throws PeerRefusal {
        Failure failure = failures.get(key);
        if (failure == null) {
            return;
        }
        if (!failure.isOver(System.nanoTime())) {
            throw new PeerRefusal(failure.reason, failure.message);
        }
        failures.remove(key, failure);
    }

    /**
     * Remembers a refusal.
     *
     * @param tookNs how long the failed attempt took
     */
    void remember(K key, PeerRefusal refusal, long tookNs) {
        long now = System.nanoTime();
        if (failures.size() >= MOST) {
            failures.values().removeIf(failure -> failure.isOver(now));
        }
        if (failures.size() < MOST) {
            String message = "a moment ago: " + refusal.getMessage();
            failures.put(key, new Failure(refusal.reason(), message, now + durationNs(refusal.reason(), tookNs)));
        }
    }

    private static long durationNs(PeerRefusal.Reason reason, long tookNs) {
        // No switch: it would load an extra class during the first refused connection.
        if (reason == PeerRefusal.Reason.BACKLOG_FULL) {
            return BACKLOG_NS;
        }
        return reason == PeerRefusal.Reason.OTHER_PROCESS
                ? Math.clamp(TIMES_AS_LONG * tookNs, USUAL_NS, MOST_NS)
                : USUAL_NS;
    }
}
