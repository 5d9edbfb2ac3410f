// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import io.pipedevice.linux.TcpConnections;
import java.net.InetSocketAddress;

/** A search for the server's end of a connection: how far it may go, and what it has found. Belongs to the driver's thread. */
final class EndSearch {
    private final InetSocketAddress client;
    private int left;
    private boolean incomplete;
    private TcpConnections.Stage found = TcpConnections.Stage.ABSENT;
    private long joinedNs;

    /**
     * @param client the client's own address
     * @param budget the most addresses to look at
     */
    EndSearch(InetSocketAddress client, int budget) {
        this.client = client;
        this.left = budget;
    }

    InetSocketAddress client() {
        return client;
    }

    /** Whether nothing further is looked at. */
    boolean isOver() {
        return found != TcpConnections.Stage.ABSENT || left < 0;
    }

    /**
     * Whether the next address may be looked at, which counts.
     *
     * @param able whether its process can be asked
     */
    boolean mayLook(boolean able) {
        if (isOver()) {
            return false;
        }
        if (!able) {
            incomplete = true;
            return false;
        }
        left--;
        incomplete |= left < 0;
        return left >= 0;
    }

    /**
     * Takes what a process has of the connection.
     *
     * @param joined when the process joined the driver, in nanoseconds
     */
    void found(TcpConnections.Stage stage, long joined) {
        found = stage;
        joinedNs = joined;
    }

    TcpConnections.Stage found() {
        return found;
    }

    /** Whether every address was looked at, and none has the connection. */
    boolean isAbsent() {
        return found == TcpConnections.Stage.ABSENT && !incomplete;
    }

    /** When the process joined the driver that may have the connection. */
    long joinedNs() {
        return joinedNs;
    }
}
