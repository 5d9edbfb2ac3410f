// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

import java.util.EnumMap;
import java.util.Map;
import org.agrona.collections.Int2IntCounterMap;

/** The use of a driver by one container. Belongs to the driver's thread. */
public final class Account {
    private final String container;
    private final String pod;
    private final Map<Tally, Long> totals = new EnumMap<>(Tally.class);
    private final long since;
    private long last;

    /** How often each process has entered. */
    private final Int2IntCounterMap processes = new Int2IntCounterMap(0);

    private int open;

    Account(String container, String pod, long since) {
        this.container = container;
        this.pod = pod;
        this.since = since;
        this.last = since;
    }

    Account(Statement restored) {
        this(restored.container(), restored.pod(), restored.since());
        add(restored);
    }

    /**
     * Counts.
     *
     * @param tally what
     * @param more 0 or more
     */
    public void add(Tally tally, long more) {
        if (more > 0) {
            long sum = totals.getOrDefault(tally, 0L) + more;
            // A total that began at what a file says may come to its end.
            totals.put(tally, sum < 0 ? Long.MAX_VALUE : sum);
        }
    }

    /** Adds the totals of another account, which ends. */
    void add(Statement other) {
        other.totals().forEach(this::add);
        last = Math.max(last, other.last());
    }

    void enter(int pid) {
        processes.incrementAndGet(pid);
    }

    void leave(int pid, long nowSeconds) {
        processes.decrementAndGet(pid);
        last = Math.max(last, nowSeconds);
    }

    boolean isUsed() {
        return !processes.isEmpty();
    }

    /** When it was used last; meaningless while it is used. */
    long last() {
        return last;
    }

    /** Changes the number of open connections. */
    void open(int more) {
        open += more;
    }

    String container() {
        return container;
    }

    Statement statement(long nowSeconds) {
        return new Statement(container, pod, since, isUsed() ? nowSeconds : last, processes.size(), open, totals);
    }
}
