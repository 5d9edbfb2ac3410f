// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The address of a server, or a range of addresses that all lead to it: {@code 10.79.0.2:7000} or
 * {@code 10.80.0.0/16:7000}. Any thread may use it.
 */
final class Target {
    final String text;

    private final int port;

    /** Null for a range. */
    private final InetSocketAddress single;

    private final int first;

    /** Addresses of a range: without the first and the last one, which some systems treat in a special way. */
    private final int count;

    private final AtomicInteger taken = new AtomicInteger();

    Target(String text) throws UnknownHostException {
        this.text = text;
        String[] words = text.split("[/:]", -1);
        InetAddress address = InetAddress.getByName(words[0]);
        port = Integer.parseInt(words[words.length - 1]);
        single = words.length == 2 ? new InetSocketAddress(address, port) : null;
        first = ByteBuffer.wrap(address.getAddress()).getInt() + 1;
        count = words.length == 2 ? 1 : (1 << (Integer.SIZE - Integer.parseInt(words[1]))) - 2;
    }

    /** The next address of the range, in turn. */
    InetSocketAddress next() throws UnknownHostException {
        if (single != null) {
            return single;
        }
        int address = first + Integer.remainderUnsigned(taken.getAndIncrement(), count);
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(address).array();
        return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
    }
}
