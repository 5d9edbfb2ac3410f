// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A port of the kernel's that belongs to this process until it is closed, as that of a client does. */
record HeldPort(Socket socket, InetSocketAddress address) implements AutoCloseable {
    /** A socket that is collected is closed. */
    private static final Set<HeldPort> OPEN = ConcurrentHashMap.newKeySet();

    /** One of an address, in hexadecimal digits. */
    static HeldPort of(String hex) throws IOException {
        Socket socket = new Socket();
        socket.bind(TestAddresses.of(hex, 0));
        HeldPort held = new HeldPort(socket, (InetSocketAddress) socket.getLocalSocketAddress());
        OPEN.add(held);
        return held;
    }

    @Override
    public void close() {
        OPEN.remove(this);
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
