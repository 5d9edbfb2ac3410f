// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import io.pipedevice.driver.identity.Identity;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.TcpConnections;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.agrona.collections.Int2ObjectHashMap;

/** A process that takes part in introductions. Belongs to the driver's thread. */
final class Participant {
    private static final int MOST_LISTENERS = 1024;
    private static final int MOST_ADDRESSES = 64;
    private static final int MOST_WAYS = 4096;

    final ControlSession session;
    final Identity identity;

    /** Intents that were not withdrawn, by their numbers. */
    final Int2ObjectHashMap<Intent> intents = new Int2ObjectHashMap<>();

    /** The number of accepted connections of this process that wait. */
    int waiting;

    private final Int2ObjectHashMap<Set<InetSocketAddress>> listeners = new Int2ObjectHashMap<>();
    private final Set<Way> ways = new HashSet<>();

    /** Asks the kernel for connections of the network namespace; null if the process has not passed a socket for that. */
    private TcpConnections connections;

    /** A listener that this process may have a link with. */
    private record Way(Participant server, int listener) {}

    Participant(ControlSession session, Identity identity) {
        this.session = session;
        this.identity = identity;
    }

    /** Whether this is the process of a number and start time. */
    boolean is(int pid, long startTime) {
        return identity.pid() == pid && identity.startTime() == startTime;
    }

    void asksWith(TcpConnections socket) {
        close();
        connections = socket;
    }

    boolean asks() {
        return connections != null;
    }

    /** Learns an address of a listener. These are hints: what they say is only used to save time. */
    void listens(int listener, InetSocketAddress address) {
        Set<InetSocketAddress> addresses = listeners.get(listener);
        if (addresses == null) {
            if (listeners.size() >= MOST_LISTENERS) {
                return;
            }
            addresses = new LinkedHashSet<>();
            listeners.put(listener, addresses);
        }
        if (addresses.size() < MOST_ADDRESSES) {
            addresses.add(address);
        }
    }

    void closed(int listener) {
        listeners.remove(listener);
    }

    boolean hasListener(int listener) {
        return listeners.containsKey(listener);
    }

    /** Permits a link of this process with a listener; whether there is room for that. */
    boolean permit(Participant server, int listener) {
        if (ways.size() >= MOST_WAYS) {
            ways.clear();
        }
        return ways.add(new Way(server, listener));
    }

    boolean mayLink(Participant server, int listener) {
        return ways.contains(new Way(server, listener));
    }

    /**
     * Whether a listener of this process may have a connection from an address.
     *
     * @param client the other end's own address
     * @param budget the most questions to the kernel
     * @return the number of questions that are left; -1 if it may have that connection
     */
    int search(InetSocketAddress client, int budget) {
        int left = budget;
        for (Set<InetSocketAddress> addresses : listeners.values()) {
            for (InetSocketAddress at : addresses) {
                if (at.getAddress().getClass() != client.getAddress().getClass()) {
                    continue;
                }
                if (connections == null || left == 0 || has(at, client)) {
                    return -1;
                }
                left--;
            }
        }
        return left;
    }

    private boolean has(InetSocketAddress at, InetSocketAddress client) {
        try {
            return connections.has(at, client);
        } catch (LinuxException e) {
            // Without an answer it may be so.
            return true;
        }
    }

    void close() {
        if (connections != null) {
            connections.close();
            connections = null;
        }
    }
}
