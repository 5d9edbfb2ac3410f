// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;

/**
 * Asks the kernel, by sock_diag(7), which TCP connections a network namespace has: that of the process that opened the
 * socket, whichever process asks. The owner of the socket can keep answers from another process that asks with it, but
 * cannot make that process wait. Confined to the thread that creates it, which also closes it.
 */
public final class TcpConnections implements AutoCloseable {
    private static final int TCP_ESTABLISHED = 1;
    private static final int TCP_SYN_RECV = 3;
    private static final int TCP_CLOSE_WAIT = 8;
    private static final int TCP_NEW_SYN_RECV = 12;
    private static final int NO_COOKIE = -1;
    private static final int ROOM = 1024;

    // struct inet_diag_req_v2, and struct inet_diag_msg
    private static final int REQUEST_LENGTH = 56;
    private static final int PROTOCOL = 1;
    private static final int REQUEST_ID = 8;
    private static final int STATE = 1;
    private static final int ANSWER_ID = 4;
    private static final int INODE = 68;
    private static final int ANSWER_LENGTH = 72;

    // struct inet_diag_sockid
    private static final int ID_PEER_PORT = 2;
    private static final int ID_SOURCE = 4;
    private static final int ID_PEER = 20;
    private static final int ID_COOKIE = 40;
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private final SockDiag diag;

    private TcpConnections(SockDiag diag) {
        this.diag = diag;
    }

    /**
     * Opens a socket of this process's network namespace, to ask with or to pass to another process.
     *
     * @return the socket, for the caller to close
     * @throws LinuxException EAFNOSUPPORT, EPROTONOSUPPORT or EACCES if such requests are not possible; EMFILE
     */
    public static Fd openSocket() throws LinuxException {
        int type = SocketCalls.SOCK_RAW | SocketCalls.SOCK_CLOEXEC;
        int number = SocketCalls.socket(SocketCalls.AF_NETLINK, type, SockDiag.NETLINK_SOCK_DIAG);
        return Fd.own(LinuxException.check("socket", number));
    }

    /**
     * Asks with a socket, perhaps of another process.
     *
     * @param socket as from {@link #openSocket}; owned by the result on success, else by the caller
     * @return an object that asks with it, for the caller to close
     * @throws LinuxException EPROTOTYPE if it is a socket of another kind, or no socket
     */
    public static TcpConnections askingWith(Fd socket) throws LinuxException {
        if (TcpPort.intOption(socket, SocketCalls.SO_DOMAIN) != SocketCalls.AF_NETLINK
                || TcpPort.intOption(socket, SocketCalls.SO_PROTOCOL) != SockDiag.NETLINK_SOCK_DIAG) {
            throw new LinuxException("getsockopt", Errno.EPROTOTYPE, "expected a socket of sock_diag(7)");
        }
        return new TcpConnections(SockDiag.of(socket, ROOM));
    }

    /** The parts of a connection that the namespace has. */
    public enum Stage {
        /** No connection; or its connecting end still waits for the answer to its SYN. */
        ABSENT,
        /** It is established, and no process has accepted it. */
        WAITS,
        /** A process has it. */
        HELD
    }

    /**
     * Finds a connection of the namespace.
     *
     * @param local the address of its end in the namespace
     * @param peer the address of the other end, of the same family
     * @return how far it is
     * @throws LinuxException EAGAIN if the kernel's answer is not there
     */
    public Stage find(InetSocketAddress local, InetSocketAddress peer) throws LinuxException {
        byte[] source = local.getAddress().getAddress();
        byte[] destination = peer.getAddress().getAddress();
        MemorySegment request = diag.question(REQUEST_LENGTH);
        int family = source.length == Integer.BYTES ? SocketCalls.AF_INET : SocketCalls.AF_INET6;
        request.set(ValueLayout.JAVA_BYTE, 0, (byte) family);
        request.set(ValueLayout.JAVA_BYTE, PROTOCOL, (byte) SocketCalls.IPPROTO_TCP);
        request.set(INT, Integer.BYTES, -1);
        request.set(PORT, REQUEST_ID, (short) local.getPort());
        request.set(PORT, REQUEST_ID + ID_PEER_PORT, (short) peer.getPort());
        MemorySegment.copy(source, 0, request, ValueLayout.JAVA_BYTE, REQUEST_ID + ID_SOURCE, source.length);
        MemorySegment.copy(destination, 0, request, ValueLayout.JAVA_BYTE, REQUEST_ID + ID_PEER, destination.length);
        request.set(INT, REQUEST_ID + ID_COOKIE, NO_COOKIE);
        request.set(INT, REQUEST_ID + ID_COOKIE + Integer.BYTES, NO_COOKIE);
        diag.ask(false, REQUEST_LENGTH);
        MemorySegment found = answer();
        // Without a connection the kernel finds the listener, or one that has ended.
        boolean is = found != null
                && found.byteSize() >= ANSWER_LENGTH
                && isOpen(found.get(ValueLayout.JAVA_BYTE, STATE))
                && found.get(PORT, ANSWER_ID + ID_PEER_PORT) == (short) peer.getPort();
        // A socket gets its inode when it is accepted.
        return !is ? Stage.ABSENT : found.get(INT, INODE) == 0 ? Stage.WAITS : Stage.HELD;
    }

    /** Whether a connection in a state is one that a process may still accept, or has accepted. */
    private static boolean isOpen(int state) {
        return state == TCP_ESTABLISHED
                || state == TCP_SYN_RECV
                || state == TCP_NEW_SYN_RECV
                || state == TCP_CLOSE_WAIT;
    }

    /** Null if there is no such socket. */
    private MemorySegment answer() throws LinuxException {
        try {
            return diag.next();
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return null;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        diag.close();
    }
}
