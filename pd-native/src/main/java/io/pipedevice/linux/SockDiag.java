// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One question to the kernel about sockets of this network namespace, sock_diag(7), and the answers. The kernel answers while
 * the question is sent, so that nothing here waits. The answers come from the kernel: to send to another process's netlink
 * socket of this kind takes CAP_NET_ADMIN. One thread; closed by whoever opened it.
 *
 * <pre>
 *   nlmsghdr  0 length 4, type 2, flags 2, sequence 4, port 4   16 payload
 * </pre>
 */
final class SockDiag implements AutoCloseable {
    static final int PAYLOAD = 16;

    private static final int NETLINK_SOCK_DIAG = 4;
    private static final short SOCK_DIAG_BY_FAMILY = 20;
    private static final short NLM_F_REQUEST = 1;
    private static final short NLM_F_DUMP = 0x300;
    private static final short NLMSG_DONE = 3;
    private static final int TYPE = 4;
    private static final int FLAGS = 6;
    private static final int SEQUENCE = 8;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
    private static final AtomicInteger SEQUENCES = new AtomicInteger();

    private final Arena arena = Arena.ofConfined();
    private final Fd fd;
    private final MemorySegment buffer;
    private final int sequence = SEQUENCES.incrementAndGet();

    /** What the buffer holds, and where the next message in it begins. */
    private long received;

    private long next;

    private SockDiag(Fd fd, int room) {
        this.fd = fd;
        this.buffer = arena.allocate(room, 8);
    }

    /**
     * Opens one.
     *
     * @param room for the question, and for answers at a time, in bytes
     * @throws LinuxException EAFNOSUPPORT, EPROTONOSUPPORT, EACCES where such questions are not possible
     */
    static SockDiag open(int room) throws LinuxException {
        int number = SocketCalls.socket(
                SocketCalls.AF_NETLINK, SocketCalls.SOCK_RAW | SocketCalls.SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
        return new SockDiag(Fd.own(LinuxException.check("socket", number)), room);
    }

    /** Where the question goes, zeroed. */
    MemorySegment question(int length) {
        return buffer.asSlice(PAYLOAD, length);
    }

    /**
     * Asks.
     *
     * @param dump whether for all sockets that match, else for one
     * @param length of the question
     */
    void ask(boolean dump, int length) throws LinuxException {
        int total = PAYLOAD + length;
        buffer.set(INT, 0, total);
        buffer.set(SHORT, TYPE, SOCK_DIAG_BY_FAMILY);
        buffer.set(SHORT, FLAGS, (short) (NLM_F_REQUEST | (dump ? NLM_F_DUMP : 0)));
        buffer.set(INT, SEQUENCE, sequence);
        int number = fd.acquire();
        try {
            long sent;
            do {
                sent = SocketCalls.send(number, buffer, total, SocketCalls.MSG_DONTWAIT);
            } while (sent == -Errno.EINTR);
            LinuxException.check("send", sent);
        } finally {
            fd.release();
        }
    }

    /**
     * The next answer's payload, which is valid until the call after this one; null after the last.
     *
     * @throws LinuxException ENOENT if there is no such socket, or the kernel does not know the kind
     */
    MemorySegment next() throws LinuxException {
        while (true) {
            if (next + PAYLOAD > received) {
                receive();
            }
            long length = Integer.toUnsignedLong(buffer.get(INT, next));
            if (length < PAYLOAD || length > received - next) {
                throw new LinuxException("recv", Errno.EPROTO, "an answer of " + length + " bytes");
            }
            MemorySegment message = buffer.asSlice(next, length);
            next += (length + 3) & ~3L;
            if (message.get(INT, SEQUENCE) != sequence) {
                continue;
            }
            short type = message.get(SHORT, TYPE);
            if (type == SOCK_DIAG_BY_FAMILY) {
                return message.asSlice(PAYLOAD);
            }
            requireSuccess(message);
            if (type != NLMSG_DONE) {
                throw new LinuxException("sock_diag", Errno.EPROTO, "an answer of type " + type);
            }
            return null;
        }
    }

    private static void requireSuccess(MemorySegment message) throws LinuxException {
        int error = message.byteSize() < PAYLOAD + Integer.BYTES ? 0 : message.get(INT, PAYLOAD);
        if (error < 0) {
            throw new LinuxException("sock_diag", -error);
        }
    }

    private void receive() throws LinuxException {
        int number = fd.acquire();
        try {
            do {
                received = SocketCalls.recv(number, buffer, buffer.byteSize(), SocketCalls.MSG_DONTWAIT);
            } while (received == -Errno.EINTR);
            next = 0;
            LinuxException.check("recv", received);
        } finally {
            fd.release();
        }
    }

    @Override
    public void close() {
        fd.close();
        arena.close();
    }
}
