// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;

import java.lang.foreign.MemorySegment;

/**
 * Queries to the kernel about the sockets of a network namespace, sock_diag(7), one after the other, and the answers.
 * The answers are certain to come from the kernel: another process needs CAP_NET_ADMIN to send to a netlink socket of
 * this kind. Used by one thread; the owner closes it.
 */
final class SockDiag implements AutoCloseable {
    static final int NETLINK_SOCK_DIAG = 4;
    private static final int SOCK_DIAG_BY_FAMILY = 20;

    private final NetlinkSocket socket;

    private SockDiag(NetlinkSocket socket) {
        this.socket = socket;
    }

    /**
     * Opens a socket for queries about this network namespace.
     *
     * @param room for answers at a time, in bytes
     * @throws LinuxException EAFNOSUPPORT, EPROTONOSUPPORT, EACCES if such queries are not possible
     */
    static SockDiag open(int room) throws LinuxException {
        return new SockDiag(NetlinkSocket.open(NETLINK_SOCK_DIAG, room));
    }

    /** Queries with a socket that is open already, and belongs to this from now on. */
    static SockDiag of(Fd fd, int room) {
        return new SockDiag(NetlinkSocket.of(fd, room));
    }

    /** Returns the zeroed memory for the query. */
    MemorySegment question(int length) {
        return socket.begin().asSlice(0, length);
    }

    /**
     * Sends the query.
     *
     * @param dump whether to query all matching sockets, else one
     * @param length of the query
     */
    void ask(boolean dump, int length) throws LinuxException {
        socket.send(SOCK_DIAG_BY_FAMILY, dump ? NetlinkSocket.ALL : NetlinkSocket.ONE, length);
    }

    /**
     * The next answer's payload, which is valid until the next call; null after the last.
     *
     * @throws LinuxException ENOENT if there is no such socket, or the kernel does not know the kind
     */
    MemorySegment next() throws LinuxException {
        MemorySegment message = socket.next();
        int type = NetlinkSocket.type(message);
        if (type == SOCK_DIAG_BY_FAMILY) {
            return message.asSlice(NetlinkSocket.HEADER);
        }
        requireSuccess(message);
        if (type != NetlinkSocket.DONE) {
            throw new LinuxException("sock_diag", Errno.EPROTO, "an answer of type " + type);
        }
        return null;
    }

    private static void requireSuccess(MemorySegment message) throws LinuxException {
        boolean hasError = message.byteSize() >= NetlinkSocket.HEADER + Integer.BYTES;
        int error = hasError ? message.get(INT, NetlinkSocket.HEADER) : 0;
        if (error < 0) {
            throw new LinuxException("sock_diag", -error);
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
