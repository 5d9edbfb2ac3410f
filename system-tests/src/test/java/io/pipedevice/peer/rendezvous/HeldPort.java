// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.test.TestAddresses;
import java.net.InetSocketAddress;

/** A TCP port that belongs to this process until it is closed, like the port of a client. */
record HeldPort(Fd fd, InetSocketAddress address) implements AutoCloseable {
    /** Reserves a port of an address, given in hexadecimal digits. */
    static HeldPort of(String hex) throws LinuxException {
        Fd fd = TcpPort.reserve(TestAddresses.of(hex, 0));
        return new HeldPort(fd, TcpPort.address(fd));
    }

    @Override
    public void close() {
        fd.close();
    }
}
