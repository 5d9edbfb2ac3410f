// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A netlink(7) socket: sends one request at a time, and splits its answers into messages. The kernel answers within the
 * send call, so no call waits for an answer.
 *
 * <pre>
 *   nlmsghdr  0 length 4, type 2, flags 2, sequence 4, port 4   16 payload: a fixed part, and attributes
 *   nlattr    0 length 2, type 2   4 value, padded to 4
 * </pre>
 *
 * <p>Confined to the thread that opened it, which also closes it. A call by another thread throws WrongThreadException.
 */
final class NetlinkSocket implements AutoCloseable {
    static final int HEADER = 16;
    static final int ATTRIBUTE = 4;

    // Flags of a request.
    static final int ONE = 1;
    static final int ALL = 0x301;

    // Types of messages in each family.
    static final int ERROR = 2;
    static final int DONE = 3;

    private static final int TYPE = 4;
    private static final int ATTRIBUTE_TYPE = 0x3FFF;
    private static final int FLAGS = 6;
    private static final int SEQUENCE = 8;
    private static final int REQUEST_ROOM = 256;

    /** The most messages that are no answer to the request. Another process may share the socket, and ask too. */
    private static final int MOST_SKIPPED = 64;

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
    private static final AtomicInteger SEQUENCES = new AtomicInteger();

    private final Arena arena = Arena.ofConfined();
    private final Fd fd;
    private final MemorySegment request = arena.allocate(REQUEST_ROOM, 8);
    private final MemorySegment answer;
    private int sequence;

    /** The number of bytes in the answer's buffer, and the start of the next message in it. */
    private long received;

    private long next;

    private NetlinkSocket(Fd fd, int room) {
        this.fd = fd;
        this.answer = arena.allocate(room, 8);
    }

    /**
     * Opens a socket.
     *
     * @param protocol as in netlink(7)
     * @param room for answers at a time, in bytes
     * @throws LinuxException EAFNOSUPPORT, EPROTONOSUPPORT, EACCES if such requests are not possible
     */
    static NetlinkSocket open(int protocol, int room) throws LinuxException {
        int number =
                SocketCalls.socket(SocketCalls.AF_NETLINK, SocketCalls.SOCK_RAW | SocketCalls.SOCK_CLOEXEC, protocol);
        return new NetlinkSocket(Fd.own(LinuxException.check("socket", number)), room);
    }

    /** Takes over a socket that is open already. */
    static NetlinkSocket of(Fd fd, int room) {
        return new NetlinkSocket(fd, room);
    }

    /** Returns the zeroed memory for the payload of the next request. */
    MemorySegment begin() {
        return request.fill((byte) 0).asSlice(HEADER);
    }

    /**
     * Sends the request whose payload was written since {@link #begin}, and discards the answer to the previous one.
     *
     * @param type of the message
     * @param flags {@link #ONE} or {@link #ALL}, for an answer about one object or about all
     * @param length of the payload
     */
    void send(int type, int flags, int length) throws LinuxException {
        sequence = SEQUENCES.incrementAndGet();
        received = 0;
        next = 0;
        int total = HEADER + length;
        request.set(INT, 0, total);
        request.set(SHORT, TYPE, (short) type);
        request.set(SHORT, FLAGS, (short) flags);
        request.set(INT, SEQUENCE, sequence);
        int number = fd.acquire();
        try {
            long sent;
            do {
                sent = SocketCalls.send(number, request, total, SocketCalls.MSG_DONTWAIT);
            } while (sent == -Errno.EINTR);
            LinuxException.check("send", sent);
        } finally {
            fd.release();
        }
    }

    /**
     * The next message of the answer, with its header, which is valid until the next call.
     *
     * @throws LinuxException EPROTO for a truncated message, EAGAIN after the last
     */
    MemorySegment next() throws LinuxException {
        for (int skipped = 0; skipped < MOST_SKIPPED; skipped++) {
            if (next + HEADER > received) {
                receive();
            }
            long length = Integer.toUnsignedLong(answer.get(INT, next));
            if (length < HEADER || length > received - next) {
                throw new LinuxException("recv", Errno.EPROTO, "an answer of " + length + " bytes");
            }
            MemorySegment message = answer.asSlice(next, length);
            next += (length + 3) & ~3L;
            if (message.get(INT, SEQUENCE) == sequence) {
                return message;
            }
        }
        throw new LinuxException("recv", Errno.EPROTO, "answers to other requests");
    }

    /** The type of a message that {@link #next} returned. */
    static int type(MemorySegment message) {
        return message.get(SHORT, TYPE);
    }

    /** The value of the first attribute of a type; null if there is none, or only after a malformed attribute. */
    static MemorySegment attribute(MemorySegment attributes, int type) {
        long at = 0;
        while (attributes.byteSize() - at >= ATTRIBUTE) {
            int length = Short.toUnsignedInt(attributes.get(SHORT, at));
            if (length < ATTRIBUTE || length > attributes.byteSize() - at) {
                return null;
            }
            if ((attributes.get(SHORT, at + 2) & ATTRIBUTE_TYPE) == type) {
                return attributes.asSlice(at + ATTRIBUTE, length - ATTRIBUTE);
            }
            at += length + 3 & -4;
        }
        return null;
    }

    private void receive() throws LinuxException {
        int number = fd.acquire();
        try {
            do {
                received = SocketCalls.recv(number, answer, answer.byteSize(), SocketCalls.MSG_DONTWAIT);
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
