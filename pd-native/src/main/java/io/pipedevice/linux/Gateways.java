// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Reads the gateways of the network namespace that a process is in, from {@code route} and {@code ipv6_route} of
 * /proc/PID/net. A gateway that masquerades usually does it with the address by which it is known there.
 */
public final class Gateways {
    /** The process may have any number of routes. */
    private static final int MAX_BYTES = 16 << 10;

    /** Of each family. */
    private static final int MOST = 4;

    private static final int IPV4_DIGITS = 8;
    private static final int IPV4_GATEWAY = 2;
    private static final int IPV6_GATEWAY = 4;

    private Gateways() {}

    /**
     * Reads them.
     *
     * @param pid the process, 0 for this one
     * @return different addresses, four of each family at most, none of them only valid on a link; empty also if the
     *     process has ended or may not be inspected
     */
    public static List<InetAddress> of(int pid) {
        return read(ProcessFacts.proc(pid).resolve("net"));
    }

    static List<InetAddress> read(Path directory) {
        List<InetAddress> gateways = new ArrayList<>();
        read(directory.resolve("route"), IPV4_GATEWAY, gateways);
        read(directory.resolve("ipv6_route"), IPV6_GATEWAY, gateways);
        return List.copyOf(gateways);
    }

    private static void read(Path file, int column, List<InetAddress> gateways) {
        String text;
        try (InputStream in = Files.newInputStream(file)) {
            text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // Without the gateways a masqueraded connection may stay on the kernel.
            return;
        }
        int from = 0;
        int most = gateways.size() + MOST;
        for (int end = text.indexOf('\n'); end >= 0 && gateways.size() < most; end = text.indexOf('\n', from)) {
            String[] fields = text.substring(from, end).strip().split("\\s+", -1);
            from = end + 1;
            InetAddress gateway = fields.length > column ? address(fields[column]) : null;
            if (gateway != null && !gateways.contains(gateway)) {
                gateways.add(gateway);
            }
        }
    }

    /** Parses the address of a gateway; null if the text is not one. */
    private static InetAddress address(String hex) {
        try {
            byte[] bytes = HexFormat.of().parseHex(hex);
            InetAddress address = InetAddress.getByAddress(hex.length() == IPV4_DIGITS ? reversed(bytes) : bytes);
            return address.isAnyLocalAddress() || address.isLinkLocalAddress() ? null : address;
        } catch (IllegalArgumentException | UnknownHostException e) {
            return null;
        }
    }

    /** IPv4 addresses are printed as a number of the machine's byte order. */
    private static byte[] reversed(byte[] bytes) {
        return new byte[] {bytes[3], bytes[2], bytes[1], bytes[0]};
    }
}
