// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.driver.data.Endpoint;
import java.net.InetSocketAddress;

/**
 * A connection of the kernel's whose data go through the device as soon as its client connects there ({@link Tickets}).
 * Belongs to the driver's thread.
 */
public final class Ticket {
    final Intent intent;
    private final Acceptance acceptance;
    private final Endpoint listener;

    /** Both ends, and the socket of the server's attachment that gets the connection. */
    Ticket(Intent intent, Acceptance acceptance, Endpoint listener) {
        this.intent = intent;
        this.acceptance = acceptance;
        this.listener = listener;
    }

    /**
     * The socket of the server's attachment that gets the connection.
     *
     * @return a socket that was listening when the ticket was issued
     */
    public Endpoint listener() {
        return listener;
    }

    /**
     * The client's own address.
     *
     * @return in the client's network namespace
     */
    public InetSocketAddress clientAddress() {
        return intent.address;
    }

    /**
     * The address of the server's socket.
     *
     * @return in the server's network namespace
     */
    public InetSocketAddress serverAddress() {
        return acceptance.address();
    }

    /**
     * The number of the server's question about the connection.
     *
     * @return its request id
     */
    public int request() {
        return acceptance.request();
    }
}
