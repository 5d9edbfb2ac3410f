// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Addresses of the loopback. */
final class Loopback {
    /** More than the number of connections that clients make at a time, so that none waits. */
    static final int BACKLOG = 8192;

    private Loopback() {}

    static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Any free port. */
    static InetSocketAddress any() {
        return at(0);
    }
}
