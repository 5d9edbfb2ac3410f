// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Failures that are not to be repeated at once, by whatever names them. Thread safe. */
final class Forbearance<K> {
    /** The most that are remembered; what is one too many is tried again at once. */
    static final int MOST = 1024;

    private static final long USUAL_NS = TimeUnit.SECONDS.toNanos(1);

    /** A listener whose clients come faster than it greets them has room again soon. */
    private static final long BACKLOG_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ConcurrentHashMap<K, Failure> failures = new ConcurrentHashMap<>();

    private record Failure(PeerRefusal.Reason reason, String message, long until) {
        boolean isOver(long now) {
            return until - now <= 0;
        }
    }

    /** Throws the refusal of a moment ago, if there was one. */
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

    void remember(K key, PeerRefusal refusal) {
        long now = System.nanoTime();
        if (failures.size() >= MOST) {
            failures.values().removeIf(failure -> failure.isOver(now));
        }
        if (failures.size() < MOST) {
            boolean isFull = refusal.reason() == PeerRefusal.Reason.BACKLOG_FULL;
            String message = "a moment ago: " + refusal.getMessage();
            failures.put(key, new Failure(refusal.reason(), message, now + (isFull ? BACKLOG_NS : USUAL_NS)));
        }
    }
}
