// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.SharedQuota;
import io.pipedevice.queue.CommandDescriptor;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The connection table (§3.4). An id is reused as late as possible, so that a late completion of a broken device does
 * not match a new connection. A connection is charged to its client. Belongs to the driver's thread.
 */
public final class ConnectionTable {
    private final Int2ObjectHashMap<Connection> connections = new Int2ObjectHashMap<>();
    private final BitSet used = new BitSet();
    private final SharedQuota quota;
    private int next = 1;

    /**
     * Creates an empty table.
     *
     * @param most most connections, at most {@link CommandDescriptor#MAX_ID}
     */
    public ConnectionTable(int most) {
        this.quota = new SharedQuota(most);
    }

    /**
     * Whether the table is full.
     *
     * @return true if no connection can be added
     */
    public boolean isFull() {
        return quota.taken() == quota.stock();
    }

    /**
     * The limit of connections.
     *
     * @return as the constructor was given
     */
    public long most() {
        return quota.stock();
    }

    /**
     * Whether the client's user and network namespace may have another connection.
     *
     * @param client the process that would be charged
     * @return false if they have used up their share
     */
    public boolean hasRoom(Identity client) {
        return quota.room(client.uid(), client.networkNamespace()) > 0;
    }

    /**
     * Adds a connection, and charges it to its client.
     *
     * @param client its side 0
     * @param server its side 1
     * @return the connection, with a new id
     */
    public Connection add(Endpoint client, Endpoint server) {
        int id = used.nextClearBit(next);
        if (id > CommandDescriptor.MAX_ID) {
            id = used.nextClearBit(1);
        }
        next = id == CommandDescriptor.MAX_ID ? 1 : id + 1;
        used.set(id);
        Connection connection = new Connection(id, client, server);
        connections.put(id, connection);
        client.process.use.ends(1);
        server.process.use.ends(1);
        Identity user = client.process.identity;
        if (!quota.take(user.uid(), user.networkNamespace(), 1)) {
            throw new IllegalStateException("no room was left for connection " + id);
        }
        return connection;
    }

    /** The connection, or null. The id in a completion cannot be trusted: a broken device may have written it. */
    Connection get(int id) {
        return connections.get(id);
    }

    void remove(Connection connection) {
        connections.remove(connection.id);
        connection.client.process.use.ends(-1);
        connection.server.process.use.ends(-1);
        Identity user = connection.client.process.identity;
        quota.give(user.uid(), user.networkNamespace(), 1);
        used.clear(connection.id);
    }

    /** All connections, for a walk during which some may be removed. */
    List<Connection> all() {
        return new ArrayList<>(connections.values());
    }

    /**
     * The number of connections.
     *
     * @return 0 or more
     */
    public int size() {
        return connections.size();
    }
}
