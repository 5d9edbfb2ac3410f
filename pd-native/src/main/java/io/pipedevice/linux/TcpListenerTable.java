// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * The listening sockets from /proc/net/tcp and tcp6, for systems without sock_diag(7): an old kernel, or a filter of
 * system calls. They come first in these tables; the other sockets are not read.
 */
final class TcpListenerTable {
    private static final String LISTENS = "0A";
    private static final int ADDRESS = 1;
    private static final int STATE = 3;
    private static final int UID = 7;
    private static final int INODE = 9;

    private TcpListenerTable() {}

    /** Finds the socket that listens at an address; null if there is none. */
    static TcpListener find(InetSocketAddress to) throws IOException {
        return find(Path.of("/proc/self/net"), to);
    }

    /** Searches in the kernel's order of preference. */
    static TcpListener find(Path directory, InetSocketAddress to) throws IOException {
        boolean isV4 = to.getAddress() instanceof Inet4Address;
        TcpListener any = null;
        for (String table : isV4 ? new String[] {"tcp", "tcp6"} : new String[] {"tcp6"}) {
            try (BufferedReader lines = Files.newBufferedReader(directory.resolve(table), StandardCharsets.US_ASCII)) {
                lines.readLine();
                TcpListener listener = next(lines);
                while (listener != null) {
                    if (listener.address().getPort() == to.getPort()) {
                        InetAddress address = listener.address().getAddress();
                        if (address.equals(to.getAddress())) {
                            return listener;
                        }
                        any = any == null && address.isAnyLocalAddress() ? listener : any;
                    }
                    listener = next(lines);
                }
            } catch (NoSuchFileException e) {
                if (table.equals("tcp")) {
                    throw e;
                }
                // This system has no IPv6.
            }
        }
        return any;
    }

    private static TcpListener next(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        if (line == null) {
            return null;
        }
        String[] fields = line.strip().split(" +", -1);
        try {
            return fields[STATE].equals(LISTENS)
                    ? new TcpListener(
                            address(fields[ADDRESS]),
                            Integer.parseUnsignedInt(fields[UID]),
                            Long.parseLong(fields[INODE]))
                    : null;
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new IOException("a line of the kernel's table of TCP has an unknown form: " + line, e);
        }
    }

    /** Parses 32-bit words in this machine's byte order, which is little-endian. */
    private static InetSocketAddress address(String text) throws IOException {
        int colon = text.indexOf(':');
        byte[] words = HexFormat.of().parseHex(text, 0, colon);
        byte[] bytes = new byte[words.length];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = words[i ^ (Integer.BYTES - 1)];
        }
        return new InetSocketAddress(
                InetAddress.getByAddress(bytes), Integer.parseInt(text, colon + 1, text.length(), 16));
    }
}
