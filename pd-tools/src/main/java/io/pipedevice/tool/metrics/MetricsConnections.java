// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.metrics;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The open connections of a {@link MetricsServer}, oldest first. Where there are too many, the address that has the
 * most loses its oldest one, if possible one that has not sent its request: an honest client sends it at once. Thread
 * safe.
 */
final class MetricsConnections {
    static final int MOST = 32;

    /** Guarded by this. */
    private final List<MetricsConnection> open = new ArrayList<>();

    /** Guarded by this. */
    private boolean closed;

    /** Adds a connection, and closes another one if there are too many. */
    void add(MetricsConnection connection) {
        MetricsConnection surplus = null;
        synchronized (this) {
            if (open.size() == MOST) {
                surplus = surplus();
                open.remove(surplus);
            }
            open.add(connection);
            if (closed) {
                surplus = connection;
            }
        }
        if (surplus != null) {
            surplus.close();
        }
    }

    private MetricsConnection surplus() {
        Map<InetAddress, Integer> counts = new HashMap<>();
        InetAddress greediest = null;
        for (MetricsConnection each : open) {
            int count = counts.merge(each.client(), 1, Integer::sum);
            if (greediest == null || count > counts.get(greediest)) {
                greediest = each.client();
            }
        }
        MetricsConnection oldest = null;
        for (MetricsConnection each : open) {
            if (each.client().equals(greediest)) {
                if (!each.hasAsked()) {
                    return each;
                }
                oldest = oldest == null ? each : oldest;
            }
        }
        return oldest;
    }

    synchronized void remove(MetricsConnection connection) {
        open.remove(connection);
    }

    synchronized boolean isEmpty() {
        return open.isEmpty();
    }

    private synchronized List<MetricsConnection> all() {
        return List.copyOf(open);
    }

    /** Closes the connections whose deadline has passed. */
    void closeExpired(long nowNs) {
        for (MetricsConnection each : all()) {
            if (each.isExpired(nowNs)) {
                each.close();
            }
        }
    }

    /** Closes the connection that was accepted first, if there is any. */
    void closeOldest() {
        all().stream().limit(1).forEach(MetricsConnection::close);
    }

    /** Closes all connections, and all that are added later. */
    void closeAll() {
        synchronized (this) {
            closed = true;
        }
        all().forEach(MetricsConnection::close);
    }
}
