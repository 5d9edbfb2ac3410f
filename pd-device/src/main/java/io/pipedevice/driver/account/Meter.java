// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

import io.pipedevice.driver.share.ProcessCounters;
import io.pipedevice.driver.share.Share;
import java.util.concurrent.TimeUnit;

/** Passes on to its account what one attached process has used since it did so last. Belongs to the driver's thread. */
final class Meter {
    private static final long MILLIS = 1_000;

    private final Account account;
    private final ProcessCounters counters;
    private final Share share;
    private long sent;
    private long received;
    private long messages;
    private long connections;
    private int open;
    private long engineNs;
    private long settledNs;

    /** The part of the memory's product that is no whole byte-second, in byte-milliseconds. */
    private long remainder;

    Meter(Account account, ProcessCounters counters, Share share, long nowNs) {
        this.account = account;
        this.counters = counters;
        this.share = share;
        this.settledNs = nowNs;
    }

    Account account() {
        return account;
    }

    /** Whether data have moved since the last call. */
    boolean settle(long nowNs) {
        boolean moved = counters.bytesSent() != sent || counters.bytesReceived() != received;
        account.add(Tally.DEVICE_SENT, counters.bytesSent() - sent);
        sent = counters.bytesSent();
        account.add(Tally.DEVICE_RECEIVED, counters.bytesReceived() - received);
        received = counters.bytesReceived();
        account.add(Tally.DEVICE_MESSAGES, counters.messages() - messages);
        messages = counters.messages();
        account.add(Tally.DEVICE_CONNECTIONS, counters.connectionsMade() - connections);
        connections = counters.connectionsMade();
        account.open(counters.connectionsOpen() - open);
        open = counters.connectionsOpen();
        account.add(Tally.ENGINE_NS, share.usedNs() - engineNs);
        engineNs = share.usedNs();
        memory(nowNs);
        return moved;
    }

    private void memory(long nowNs) {
        long millis = TimeUnit.NANOSECONDS.toMillis(nowNs - settledNs);
        settledNs += TimeUnit.MILLISECONDS.toNanos(millis);
        // In two parts, because the product of all may not fit.
        long bytes = counters.memory();
        long rest = bytes % MILLIS * millis + remainder;
        account.add(Tally.MEMORY, bytes / MILLIS * millis + rest / MILLIS);
        remainder = rest % MILLIS;
    }

    /** The process has left. */
    void end(long nowNs) {
        settle(nowNs);
        account.open(-open);
    }
}
