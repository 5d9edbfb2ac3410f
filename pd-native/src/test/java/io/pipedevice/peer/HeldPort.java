// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port of the kernel's that belongs to this process, as that of a client does. */
record HeldPort(Socket socket, InetSocketAddress address) implements AutoCloseable {
    /** One of an address, in hexadecimal digits. */
    static HeldPort of(String hex) throws IOException {
        Socket socket = new Socket();
        socket.bind(TestAddresses.of(hex, 0));
        return new HeldPort(socket, (InetSocketAddress) socket.getLocalSocketAddress());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
