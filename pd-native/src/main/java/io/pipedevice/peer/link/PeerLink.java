// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.Fd;
import io.pipedevice.peer.stream.PeerSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The link of this process with a listener, as a client uses it to connect. It ends by itself. Thread safe. */
public sealed interface PeerLink permits ClientLink {
    /**
     * Whether both sides are in this process.
     *
     * @return false if the peer is another process, or one of another PID namespace
     */
    boolean isWithinProcess();

    /**
     * Connects. The connection can be written to at once, before the server accepts it.
     *
     * @param from this end's address
     * @param to the listener's address, which is of the same family
     * @return the connection, for the caller to close
     * @throws PeerRefusal if it has to be left to the kernel
     */
    PeerSocket connect(InetSocketAddress from, InetSocketAddress to) throws PeerRefusal;

    /**
     * Connects as {@link #connect(InetSocketAddress, InetSocketAddress)}, and proves to the server that this process
     * holds the address.
     *
     * @param from this end's address
     * @param port the socket that holds it, which the caller still owns
     * @param to the listener's address, which is of the same family
     * @return the connection, for the caller to close
     * @throws PeerRefusal if it has to be left to the kernel
     */
    PeerSocket connect(InetSocketAddress from, Fd port, InetSocketAddress to) throws PeerRefusal;

    /**
     * Connects from the address of an earlier connection that both ends have closed, and whose port the server keeps.
     *
     * @param source the IP address to connect from
     * @param to the listener's address, which is of the same family
     * @return the connection, for the caller to close; null if there is no such address
     * @throws PeerRefusal if it has to be left to the kernel
     */
    PeerSocket connectAgain(InetAddress source, InetSocketAddress to) throws PeerRefusal;
}
