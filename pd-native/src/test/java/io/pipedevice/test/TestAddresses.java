// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/** Addresses without a name lookup. */
public final class TestAddresses {
    private TestAddresses() {}

    public static InetSocketAddress loopback(int port) {
        return of("7f000001", port);
    }

    public static InetSocketAddress of(String hex, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(HexFormat.of().parseHex(hex)), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
