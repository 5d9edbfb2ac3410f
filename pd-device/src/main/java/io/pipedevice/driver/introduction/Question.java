// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.NamespaceOwner;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.linux.TcpSequences;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * A participant's question about a connection, CONNECTED or ACCEPTED, whose socket has to be read. Belongs to the
 * driver's thread, except while {@link #read} runs on another one.
 */
final class Question {
    final Participant from;
    final int type;
    final int request;
    final int listener;
    final int port;

    /** The destination of a client's connection, as it says; null if it does not. */
    final InetSocketAddress to;

    /** Of the permit to read the socket. */
    final int slot;

    final Fd socket;

    /** The kernel's number of the network namespace of the socket; 0 if it has none. */
    final long namespace;

    /** Whether it was answered, so that its socket is only closed. */
    boolean isAnswered;

    /** A result: whether the socket was closed. Its process may delay that for as long as it likes. */
    boolean isClosed;

    /** The results. */
    InetSocketAddress address;

    TcpSequences sequences;

    /** Whether only the host's own root has capabilities over the socket, with which its numbers could be chosen. */
    boolean isOfOwnNamespace;

    /** Why there are none; null if there are. */
    LinuxException failure;

    Question(
            Participant from,
            int type,
            int request,
            int listener,
            int port,
            InetSocketAddress to,
            int slot,
            Fd socket) {
        this.from = from;
        this.type = type;
        this.request = request;
        this.listener = listener;
        this.port = port;
        this.to = to;
        this.slot = slot;
        this.socket = socket;
        // Takes no lock of the socket.
        this.namespace = TcpPort.namespace(socket);
    }

    /**
     * Reads the socket, unless it was answered, and closes it, unless that may take long. Its process can delay the
     * reading for as long as it likes: it shares the socket, whose lock it holds while it sends.
     */
    void read() {
        try {
            if (!isAnswered) {
                address = TcpPort.address(socket);
                sequences = sequences();
                isOfOwnNamespace = NamespaceOwner.isOwn(socket);
            }
        } catch (LinuxException e) {
            failure = e;
        } catch (IOException e) {
            failure = new LinuxException("readlink", Errno.EIO, String.valueOf(e.getMessage()));
        }
        if (TcpPort.closesAtOnce(socket)) {
            socket.close();
            isClosed = true;
        }
    }

    /** Reads the numbers, which changes the socket for a moment, if the process still permits it. */
    private TcpSequences sequences() throws LinuxException {
        try {
            if (!from.permits.begin(slot, request)) {
                throw new LinuxException("getsockopt", Errno.ECANCELED, "the process has withdrawn the question");
            }
            return TcpSequences.of(socket);
        } finally {
            from.permits.end();
        }
    }
}
