// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.queue.CommandDescriptor;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The connection table (§3.4). An id is used again as late as possible, so that what a broken device completes long
 * after its time meets no new connection. Belongs to the driver's thread.
 */
final class ConnectionTable {
    private final Int2ObjectHashMap<Connection> connections = new Int2ObjectHashMap<>();
    private final BitSet used = new BitSet();
    private int next = 1;

    /** Whether another connection can be added. */
    boolean isFull() {
        return connections.size() >= CommandDescriptor.MAX_ID;
    }

    Connection add(Endpoint client, Endpoint server) {
        int id = used.nextClearBit(next);
        if (id > CommandDescriptor.MAX_ID) {
            id = used.nextClearBit(1);
        }
        next = id == CommandDescriptor.MAX_ID ? 1 : id + 1;
        used.set(id);
        Connection connection = new Connection(id, client, server);
        connections.put(id, connection);
        return connection;
    }

    /** The connection, or null: an id in a completion is as good as the device that wrote it. */
    Connection get(int id) {
        return connections.get(id);
    }

    void remove(Connection connection) {
        connections.remove(connection.id);
        used.clear(connection.id);
    }

    /** All connections, for a walk during which some may be removed. */
    List<Connection> all() {
        return new ArrayList<>(connections.values());
    }

    int size() {
        return connections.size();
    }
}
