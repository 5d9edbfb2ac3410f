// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.linux.TcpSequences;
import java.net.InetSocketAddress;

/** A connection that a client has announced before its SYN. Belongs to the driver's thread. */
final class Intent {
    final Participant client;
    final int id;
    final int port;
    final long sinceNs;

    /** The numbers of the client's socket; null until its connection stands. */
    TcpSequences sequences;

    /** Of the permit to read the socket; set with the numbers. */
    int slot;

    /** Whether only the host's own root could choose these numbers. */
    boolean isOfOwnNamespace;

    /** The client's own address; null until its connection stands. */
    InetSocketAddress address;

    /** The process that has not accepted the connection; null if there is none, as far as is known. */
    Participant waitsFor;

    /** The other end; null until it is found. */
    Acceptance met;

    /** The number by which the client may connect through the device, as of a ticket; 0 if its data go directly. */
    long ticket;

    Intent(Participant client, int id, int port, long sinceNs) {
        this.client = client;
        this.id = id;
        this.port = port;
        this.sinceNs = sinceNs;
    }

    boolean isConnected() {
        return sequences != null;
    }

    /** Whether the client still awaits the answer to its question. */
    boolean isAwaited() {
        return client.permits.isGranted(slot, id);
    }
}
