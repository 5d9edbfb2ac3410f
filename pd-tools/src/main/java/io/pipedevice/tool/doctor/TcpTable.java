// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The kernel's TCP sockets of one network namespace, from /proc/PID/net/tcp and tcp6. Immutable.
 *
 * @param connected sockets with another end
 * @param listening sockets that wait for connections
 */
record TcpTable(List<Socket> connected, List<Socket> listening) {
    private static final int ESTABLISHED = 1;
    private static final int LISTEN = 10;

    /**
     * One socket.
     *
     * @param local its address
     * @param remote of its other end
     * @param uid the number of the user who opened it
     * @param inode identifies it in /proc/PID/fd
     */
    record Socket(InetSocketAddress local, InetSocketAddress remote, int uid, long inode) {}

    /** The sockets of the network namespace of a process; empty if they cannot be read. */
    static TcpTable of(Path process) {
        TcpTable table = new TcpTable(new ArrayList<>(), new ArrayList<>());
        table.addAll(process.resolve("net/tcp"));
        table.addAll(process.resolve("net/tcp6"));
        return table;
    }

    private void addAll(Path file) {
        try {
            for (String line : Files.readAllLines(file)) {
                add(line.strip().split(" +", -1));
            }
        } catch (IOException e) {
            // The process has ended, or there is no IPv6.
            return;
        }
    }

    private void add(String[] fields) throws IOException {
        if (fields.length < 10 || fields[0].equals("sl")) {
            return;
        }
        int state = Integer.parseInt(fields[3], 16);
        if (state == ESTABLISHED || state == LISTEN) {
            Socket socket = new Socket(
                    address(fields[1]),
                    address(fields[2]),
                    Integer.parseUnsignedInt(fields[7]),
                    Long.parseLong(fields[9]));
            (state == LISTEN ? listening : connected).add(socket);
        }
    }

    /** Parses an address as the kernel prints it: words in the machine's byte order, a colon, and the port. */
    private static InetSocketAddress address(String text) throws IOException {
        int colon = text.indexOf(':');
        byte[] bytes = HexFormat.of().parseHex(text, 0, colon);
        ByteBuffer words = ByteBuffer.wrap(bytes);
        for (int i = 0; i < bytes.length; i += Integer.BYTES) {
            int word = words.order(ByteOrder.BIG_ENDIAN).getInt(i);
            words.order(ByteOrder.nativeOrder()).putInt(i, word);
        }
        // An IPv4-mapped IPv6 address becomes an IPv4 address.
        return new InetSocketAddress(
                InetAddress.getByAddress(bytes), Integer.parseInt(text, colon + 1, text.length(), 16));
    }

    /** The socket that listens at an address; null if there is none. */
    Socket listenerAt(InetAddress address, int port) {
        for (Socket socket : listening) {
            if (serves(socket, address, port)) {
                return socket;
            }
        }
        return null;
    }

    /** Whether several sockets listen at an address, because their programs have set SO_REUSEPORT. */
    boolean isShared(InetAddress address, int port) {
        Socket first = listenerAt(address, port);
        return first != null
                && listening.stream()
                        .anyMatch(other -> !other.equals(first) && other.local().equals(first.local()));
    }

    private static boolean serves(Socket socket, InetAddress address, int port) {
        InetAddress at = socket.local().getAddress();
        boolean any = at.isAnyLocalAddress() && (!(at instanceof Inet4Address) || address instanceof Inet4Address);
        return socket.local().getPort() == port && (any || at.equals(address));
    }

    /** The other end of a connection; null if it is not in this namespace. */
    Socket otherEnd(Socket socket) {
        for (Socket other : connected) {
            if (other.local().equals(socket.remote()) && other.remote().equals(socket.local())) {
                return other;
            }
        }
        return null;
    }
}
