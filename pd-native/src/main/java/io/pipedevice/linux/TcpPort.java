// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/** Reserves ports, and inspects TCP sockets that belong to the JDK or to another process. */
public final class TcpPort {
    private static final int SOCKADDR_IN = 16;
    private static final int SOCKADDR_IN6 = 28;
    private static final int SHUT_RDWR = 2;
    private static final int PORT_OFFSET = 2;
    private static final int IPV4_OFFSET = 4;
    private static final int IPV4_LENGTH = 4;
    private static final int IPV6_OFFSET = 8;
    private static final int IPV6_LENGTH = 16;
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private TcpPort() {}

    /**
     * Reserves a port at which no socket listens.
     *
     * @param address an address of this host; port 0 for any free port
     * @return a socket that holds the port, for the caller to close
     * @throws LinuxException EADDRINUSE, EADDRNOTAVAIL, EMFILE and the like
     */
    public static Fd reserve(InetSocketAddress address) throws LinuxException {
        byte[] bytes = address.getAddress().getAddress();
        boolean old = bytes.length == IPV4_LENGTH;
        int type = SocketCalls.SOCK_STREAM | SocketCalls.SOCK_CLOEXEC;
        int number = LinuxException.check(
                "socket", SocketCalls.socket(old ? SocketCalls.AF_INET : SocketCalls.AF_INET6, type, 0));
        Fd fd = Fd.own(number);
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment name = scratch.zeroed();
            int scope = address.getAddress() instanceof Inet6Address scoped ? scoped.getScopeId() : 0;
            int length = write(bytes, scope, address.getPort(), name);
            LinuxException.check("bind", SocketCalls.bind(number, name, length));
            return fd;
        } catch (Throwable e) {
            fd.close();
            throw e;
        }
    }

    /**
     * Ends the listening of a socket, which stays open. Connections in its backlog are reset. Another socket may then
     * listen at the port if both have SO_REUSEADDR.
     *
     * @param number of a descriptor, which the caller keeps from being closed meanwhile
     */
    public static void stopListening(int number) {
        // An error means that it does not listen.
        SocketCalls.shutdown(number, SHUT_RDWR);
    }

    /**
     * Makes the threads leave that wait for a socket, whether it is connected or connects. The socket stays open. The
     * peer finds the end of the stream, or a reset.
     *
     * @param number of a descriptor, which the caller keeps from being closed meanwhile
     * @param resets whether to reset a connection
     */
    public static void endWaits(int number, boolean resets) {
        if (!resets) {
            // An error means that it is not connected.
            SocketCalls.shutdown(number, SHUT_RDWR);
            return;
        }
        try (Scratch scratch = Scratch.borrow()) {
            // A name of the family AF_UNSPEC, which is 0, dissolves a connection.
            SocketCalls.connect(number, scratch.zeroed(), SOCKADDR_IN);
        }
    }

    /**
     * Lets a socket that does not block do so in connect(2), for a while.
     *
     * @param number of a descriptor, which the caller keeps from being closed meanwhile
     * @param micros the longest time, more than 0; after that the connect is pending, as without this
     */
    public static void blockInConnect(int number, long micros) {
        try {
            // The time also limits writes that block, of which the caller makes none.
            SocketSetup.sendTimeout(number, micros);
            SocketSetup.nonBlocking(number, false);
        } catch (LinuxException e) {
            // It does not block, then.
            return;
        }
    }

    /**
     * Ends what {@link #blockInConnect} began.
     *
     * @param number of a descriptor, which the caller keeps from being closed meanwhile
     * @throws LinuxException EBADF
     */
    public static void neverBlock(int number) throws LinuxException {
        SocketSetup.nonBlocking(number, true);
    }

    /**
     * Takes the pending error of a socket, as the next call on the socket would.
     *
     * @param number of a descriptor, which the caller keeps from being closed meanwhile
     * @return whether the peer has reset the connection, and nothing has reported that before
     */
    public static boolean takeReset(int number) {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment error = scratch.zeroed();
            MemorySegment length = scratch.control();
            length.set(Native.INT, 0, Integer.BYTES);
            int result = SocketCalls.getOption(number, SocketCalls.SO_ERROR, error, length);
            return result == 0 && error.get(Native.INT, 0) == Errno.ECONNRESET;
        }
    }

    /** Writes a sockaddr_in or sockaddr_in6 into zeroed memory; returns its length. The scope is for IPv6. */
    static int write(byte[] address, int scope, int port, MemorySegment name) {
        name.set(PORT, PORT_OFFSET, (short) port);
        boolean old = address.length == IPV4_LENGTH;
        name.set(ValueLayout.JAVA_SHORT, 0, (short) (old ? SocketCalls.AF_INET : SocketCalls.AF_INET6));
        MemorySegment.copy(address, 0, name, ValueLayout.JAVA_BYTE, old ? IPV4_OFFSET : IPV6_OFFSET, address.length);
        if (old) {
            return SOCKADDR_IN;
        }
        name.set(Native.INT, IPV6_OFFSET + IPV6_LENGTH, scope);
        return SOCKADDR_IN6;
    }

    /**
     * Duplicates the descriptor of a socket, which its owner may close at any time.
     *
     * @param number of the descriptor
     * @param bound the address to which the socket is bound
     * @return a descriptor of the same socket, for the caller to close; null if the number now belongs to another file
     * @throws LinuxException EMFILE and the like
     */
    public static Fd duplicate(int number, InetSocketAddress bound) throws LinuxException {
        int result = FileCalls.fcntl(number, FileCalls.F_DUPFD_CLOEXEC, 0);
        if (result == -Errno.EBADF) {
            return null;
        }
        Fd copy = Fd.own(LinuxException.check("fcntl", result));
        InetSocketAddress address = address(copy);
        if (address != null && address.getPort() == bound.getPort()) {
            return copy;
        }
        copy.close();
        return null;
    }

    /**
     * The address to which a TCP socket is bound.
     *
     * @param fd a descriptor of another process
     * @param namespace the network namespace that it must belong to, as from {@link #namespace}
     * @return the address; null if it is not a TCP socket, or is in another namespace, or is not bound
     * @throws LinuxException EBADF after close
     */
    public static InetSocketAddress boundTo(Fd fd, long namespace) throws LinuxException {
        InetSocketAddress address = address(fd);
        return address == null || address.getPort() == 0 || !isTcp(fd) || namespace(fd) != namespace ? null : address;
    }

    /** Whether a descriptor of another process is a TCP socket. */
    static boolean isTcp(Fd fd) {
        int domain = intOption(fd, SocketCalls.SO_DOMAIN);
        return (domain == SocketCalls.AF_INET || domain == SocketCalls.AF_INET6)
                && intOption(fd, SocketCalls.SO_PROTOCOL) == SocketCalls.IPPROTO_TCP;
    }

    /**
     * Whether close(2) of a socket returns soon, whatever its data: it is a TCP socket without SO_LINGER. A process
     * that shares the socket may change that at any time.
     *
     * @param fd a descriptor of any process
     * @return false if the close may take as long as that process likes
     */
    public static boolean closesAtOnce(Fd fd) {
        return isTcp(fd) && intOption(fd, SocketCalls.SO_LINGER) == 0;
    }

    /** An option of one int; -1 if the descriptor is not a socket. */
    static int intOption(Fd fd, int option) {
        try {
            return SocketSetup.option(fd, option, 1)[0];
        } catch (LinuxException e) {
            return -1;
        }
    }

    /**
     * The network namespace of a socket.
     *
     * @param fd a socket of any kind
     * @return the kernel's number; 0 before Linux 5.14, which has no such number
     */
    public static long namespace(Fd fd) {
        try {
            int[] halves = SocketSetup.option(fd, SocketCalls.SO_NETNS_COOKIE, 2);
            return (long) halves[0] << Integer.SIZE | Integer.toUnsignedLong(halves[1]);
        } catch (LinuxException e) {
            return 0;
        }
    }

    /**
     * The address to which a socket is bound, getsockname(2).
     *
     * @param fd any descriptor
     * @return the address; null if it is not an IPv4 or IPv6 socket
     * @throws LinuxException EBADF after close
     */
    public static InetSocketAddress address(Fd fd) throws LinuxException {
        int number = fd.acquire();
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment address = scratch.zeroed();
            MemorySegment length = scratch.control();
            length.set(Native.INT, 0, Scratch.BUFFER_LENGTH);
            if (SocketCalls.getsockname(number, address, length) < 0) {
                return null;
            }
            int port = Short.toUnsignedInt(address.get(PORT, PORT_OFFSET));
            return switch (address.get(ValueLayout.JAVA_SHORT, 0)) {
                case SocketCalls.AF_INET -> new InetSocketAddress(bytes(address, IPV4_OFFSET, IPV4_LENGTH), port);
                case SocketCalls.AF_INET6 -> new InetSocketAddress(bytes(address, IPV6_OFFSET, IPV6_LENGTH), port);
                default -> null;
            };
        } finally {
            fd.release();
        }
    }

    private static InetAddress bytes(MemorySegment address, int offset, int length) {
        byte[] bytes = new byte[length];
        // Not toArray(), which loads four classes at the first connection of each JVM.
        MemorySegment.copy(address, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are addresses", e);
        }
    }
}
