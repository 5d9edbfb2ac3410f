// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.io.IOException;
import java.util.List;

/** Where a server and its clients run. Any thread may call {@link #close}; one thread calls the rest. */
public interface Site extends AutoCloseable {
    /**
     * The beginning of a command line, after which the rest runs in the server's place.
     *
     * @return words; none if any process is in that place
     */
    List<String> atServer();

    /**
     * The same for a client.
     *
     * @return words
     */
    List<String> atClient();

    /**
     * The address of a server at which its clients reach it.
     *
     * @return an IPv4 address
     */
    String host();

    /**
     * The address at which other processes reach a server in the clients' place.
     *
     * @return an IPv4 address
     */
    String clientHost();

    /**
     * A range of addresses, at each of which clients reach a server that listens at any address.
     *
     * @return an IPv4 address and the length of its prefix, such as 10.80.0.0/16
     */
    String hosts();

    /**
     * Checks that the traffic since the last check was carried as it should be.
     *
     * @throws IOException if not, with the reason
     */
    void check() throws IOException;

    @Override
    void close();
}
