// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;

import java.lang.foreign.MemorySegment;

/**
 * One question to the kernel about sockets of this network namespace, sock_diag(7), and the answers. They come from the
 * kernel: to send to another process's netlink socket of this kind takes CAP_NET_ADMIN. One thread; closed by whoever opened
 * it.
 */
final class SockDiag implements AutoCloseable {
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final int SOCK_DIAG_BY_FAMILY = 20;

    private final NetlinkSocket socket;

    private SockDiag(NetlinkSocket socket) {
        this.socket = socket;
    }

    /**
     * Opens one.
     *
     * @param room for answers at a time, in bytes
     * @throws LinuxException EAFNOSUPPORT, EPROTONOSUPPORT, EACCES where such questions are not possible
     */
    static SockDiag open(int room) throws LinuxException {
        return new SockDiag(NetlinkSocket.open(NETLINK_SOCK_DIAG, room));
    }

    /** Where the question goes, zeroed. */
    MemorySegment question(int length) {
        return socket.begin().asSlice(0, length);
    }

    /**
     * Asks.
     *
     * @param dump whether for all sockets that match, else for one
     * @param length of the question
     */
    void ask(boolean dump, int length) throws LinuxException {
        socket.send(SOCK_DIAG_BY_FAMILY, dump ? NetlinkSocket.ALL : NetlinkSocket.ONE, length);
    }

    /**
     * The next answer's payload, which is valid until the call after this one; null after the last.
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
