// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.MemorySegment;

/**
 * The positions of both directions of a TCP connection, as its socket counts bytes. The kernel begins both counts with
 * numbers that it chooses at random. So two sockets that have sent nothing yet are the ends of one connection if their
 * numbers are equal crosswise, whatever addresses were rewritten between them. An unprivileged process cannot choose
 * them; one that has CAP_NET_ADMIN over its network namespace can, and would have to guess both.
 *
 * <pre>
 *   one end    sent ------ equal ------ received   other end
 *              received -- equal ------ sent
 * </pre>
 *
 * @param sent the number of the next byte that the program writes
 * @param received the number of the next byte that arrives
 */
public record TcpSequences(int sent, int received) {
    private static final int TCP_INFO = 11;
    private static final int ESTABLISHED = 1;
    private static final int TCP_REPAIR = 19;
    private static final int TCP_REPAIR_QUEUE = 20;
    private static final int TCP_QUEUE_SEQ = 21;
    private static final int RECEIVE_QUEUE = 1;
    private static final int SEND_QUEUE = 2;

    /** Ends the repair without the probe that TCP_REPAIR_OFF sends. */
    private static final int REPAIR_OFF = -1;

    /** For tests: runs before each system call that changes a socket. */
    static volatile Runnable beforeChange = () -> {};

    /**
     * Reads the numbers of a connected socket. For some microseconds the socket is under repair, tcp(7), so that what
     * another thread writes meanwhile is sent later. Waits while another process holds the socket's lock, which it does
     * for as long as it likes.
     *
     * @param socket a TCP socket of any process
     * @return the numbers
     * @throws LinuxException EPERM without CAP_NET_ADMIN in the user namespace that owns the socket's network
     *     namespace; ENOTCONN if it is not connected; EPROTOTYPE if it is no TCP socket; EBADF after close
     */
    public static TcpSequences of(Fd socket) throws LinuxException {
        if (!TcpPort.isTcp(socket)) {
            throw new LinuxException("getsockopt", Errno.EPROTOTYPE, "expected a TCP socket");
        }
        int number = socket.acquire();
        try {
            if ((get(number, SocketCalls.IPPROTO_TCP, TCP_INFO) & 0xFF) != ESTABLISHED) {
                throw new LinuxException("getsockopt", Errno.ENOTCONN);
            }
            // The repair switches the option off.
            int reuse = get(number, SocketCalls.SOL_SOCKET, SocketCalls.SO_REUSEADDR);
            set(number, SocketCalls.IPPROTO_TCP, TCP_REPAIR, 1);
            try {
                return new TcpSequences(read(number, SEND_QUEUE), read(number, RECEIVE_QUEUE));
            } finally {
                set(number, SocketCalls.IPPROTO_TCP, TCP_REPAIR, REPAIR_OFF);
                set(number, SocketCalls.SOL_SOCKET, SocketCalls.SO_REUSEADDR, reuse);
            }
        } finally {
            socket.release();
        }
    }

    /**
     * Whether the process that was reading a socket has died meanwhile. The connection is then of no use.
     *
     * @param socket a TCP socket of this process
     * @return whether what is written to it is never sent
     */
    public static boolean isLeftInRepair(Fd socket) {
        try {
            int number = socket.acquire();
            try {
                return get(number, SocketCalls.IPPROTO_TCP, TCP_REPAIR) == 1;
            } finally {
                socket.release();
            }
        } catch (LinuxException e) {
            return false;
        }
    }

    private static int read(int fd, int queue) throws LinuxException {
        set(fd, SocketCalls.IPPROTO_TCP, TCP_REPAIR_QUEUE, queue);
        return get(fd, SocketCalls.IPPROTO_TCP, TCP_QUEUE_SEQ);
    }

    private static int get(int fd, int level, int option) throws LinuxException {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment value = scratch.zeroed();
            MemorySegment length = scratch.control();
            length.set(Native.INT, 0, Integer.BYTES);
            LinuxException.check("getsockopt", SocketCalls.getOption(fd, level, option, value, length));
            return value.get(Native.INT, 0);
        }
    }

    private static void set(int fd, int level, int option, int value) throws LinuxException {
        beforeChange.run();
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment memory = scratch.zeroed();
            memory.set(Native.INT, 0, value);
            LinuxException.check("setsockopt", SocketCalls.setOption(fd, level, option, memory, Integer.BYTES));
        }
    }

    /**
     * Whether these are the numbers of the other end of a connection on which nothing was sent yet, except a byte of
     * urgent data in each direction ({@link UrgentByte}), which may not have arrived.
     *
     * @param other the numbers of another socket
     * @return whether both sockets are ends of the same connection
     */
    public boolean areOfOtherEnd(TcpSequences other) {
        return isArriving(sent, other.received) && isArriving(other.sent, received);
    }

    private static boolean isArriving(int sent, int received) {
        int underWay = sent - received;
        return underWay == 0 || underWay == 1;
    }
}
