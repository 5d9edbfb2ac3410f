// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;

/**
 * A TCP socket of this network namespace that listens.
 *
 * @param address its address; the IPv6 wildcard means both families, unless the socket accepts IPv6 only
 * @param uid its creator, as this process's user namespace sees it
 * @param inode identifies its descriptors in /proc/PID/fd
 */
public record TcpListener(InetSocketAddress address, int uid, long inode) {
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_LISTEN = 10;

    /** The network interface by which connections to addresses of this host arrive. */
    private static final int LOOPBACK = 1;

    private static final int NO_COOKIE = -1;
    private static final int ROOM = 1024;
    private static final int ADDRESS_LENGTH = 16;

    // struct inet_diag_req_v2, and struct inet_diag_msg
    private static final int REQUEST_LENGTH = 56;
    private static final int PROTOCOL = 1;
    private static final int REQUEST_ID = 8;
    private static final int STATE = 1;
    private static final int ANSWER_ID = 4;
    private static final int UID = 64;
    private static final int INODE = 68;
    private static final int ANSWER_LENGTH = 72;

    // struct inet_diag_sockid
    private static final int ID_SOURCE = 4;
    private static final int ID_INTERFACE = 36;
    private static final int ID_COOKIE = 40;
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    /** Whether the kernel can be queried for one socket. A kernel that cannot would report every socket as missing. */
    private static final class Kernel {
        static final boolean ANSWERS = answers();

        /** Queries all sockets in an empty set of states: the answer has none. */
        private static boolean answers() {
            try (SockDiag diag = SockDiag.open(ROOM)) {
                MemorySegment request = diag.question(REQUEST_LENGTH);
                request.set(ValueLayout.JAVA_BYTE, 0, (byte) SocketCalls.AF_INET);
                request.set(ValueLayout.JAVA_BYTE, PROTOCOL, (byte) IPPROTO_TCP);
                diag.ask(true, REQUEST_LENGTH);
                return diag.next() == null;
            } catch (LinuxException e) {
                return false;
            }
        }
    }

    /**
     * Finds the socket that a connection from this host to an address of this host would reach, by the kernel's own
     * rules.
     *
     * @param to an address of this host, and a port
     * @return null if no socket listens there
     * @throws LinuxException EMFILE, ENFILE, ENOMEM
     * @throws IOException if the kernel does not answer
     */
    public static TcpListener at(InetSocketAddress to) throws IOException {
        if (!Kernel.ANSWERS) {
            return TcpListenerTable.find(to);
        }
        try (SockDiag diag = SockDiag.open(ROOM)) {
            write(to, diag.question(REQUEST_LENGTH));
            diag.ask(false, REQUEST_LENGTH);
            MemorySegment answer = diag.next();
            return answer == null ? null : read(answer);
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return null;
            }
            throw e;
        }
    }

    private static void write(InetSocketAddress to, MemorySegment request) {
        byte[] address = to.getAddress().getAddress();
        boolean isV4 = to.getAddress() instanceof Inet4Address;
        request.set(ValueLayout.JAVA_BYTE, 0, (byte) (isV4 ? SocketCalls.AF_INET : SocketCalls.AF_INET6));
        request.set(ValueLayout.JAVA_BYTE, PROTOCOL, (byte) IPPROTO_TCP);
        request.set(INT, 4, 1 << TCP_LISTEN);
        request.set(PORT, REQUEST_ID, (short) to.getPort());
        MemorySegment.copy(address, 0, request, ValueLayout.JAVA_BYTE, REQUEST_ID + ID_SOURCE, address.length);
        request.set(INT, REQUEST_ID + ID_INTERFACE, scope(to.getAddress()));
        request.set(INT, REQUEST_ID + ID_COOKIE, NO_COOKIE);
        request.set(INT, REQUEST_ID + ID_COOKIE + Integer.BYTES, NO_COOKIE);
    }

    private static int scope(InetAddress address) {
        return address.isLinkLocalAddress() && address instanceof Inet6Address scoped ? scoped.getScopeId() : LOOPBACK;
    }

    private static TcpListener read(MemorySegment answer) throws IOException {
        if (answer.byteSize() < ANSWER_LENGTH || answer.get(ValueLayout.JAVA_BYTE, STATE) != TCP_LISTEN) {
            return null;
        }
        boolean isV4 = answer.get(ValueLayout.JAVA_BYTE, 0) == SocketCalls.AF_INET;
        byte[] bytes = new byte[isV4 ? Integer.BYTES : ADDRESS_LENGTH];
        MemorySegment.copy(answer, ValueLayout.JAVA_BYTE, ANSWER_ID + ID_SOURCE, bytes, 0, bytes.length);
        InetAddress address = InetAddress.getByAddress(bytes);
        if (address.isLinkLocalAddress() && address instanceof Inet6Address) {
            address = Inet6Address.getByAddress(null, bytes, answer.get(INT, ANSWER_ID + ID_INTERFACE));
        }
        int port = Short.toUnsignedInt(answer.get(PORT, ANSWER_ID));
        return new TcpListener(
                new InetSocketAddress(address, port),
                answer.get(INT, UID),
                Integer.toUnsignedLong(answer.get(INT, INODE)));
    }
}
