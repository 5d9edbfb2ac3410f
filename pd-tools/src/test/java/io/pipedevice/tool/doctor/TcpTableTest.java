// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.jdk.Literals;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TcpTableTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void connectionIsFoundFromBothEnds(String address) throws Exception {
        InetAddress loopback = Literals.address(address);
        try (ServerSocket server = new ServerSocket(0, 1, loopback);
                Socket client = new Socket(loopback, server.getLocalPort());
                Socket accepted = server.accept()) {
            TcpTable table = TcpTable.of(Path.of("/proc/self"));
            TcpTable.Socket one = table.connected().stream()
                    .filter(socket -> socket.local().equals(client.getLocalSocketAddress()))
                    .findAny()
                    .orElseThrow();
            assertEquals(client.getRemoteSocketAddress(), one.remote());
            TcpTable.Socket other = table.otherEnd(one);
            assertEquals(accepted.getLocalSocketAddress(), other.local());
            assertTrue(Processes.sockets(Path.of("/proc/self")).contains(other.inode()));
            assertNotNull(table.listenerAt(loopback, server.getLocalPort()));
            assertNull(table.listenerAt(loopback, client.getLocalPort()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void listenerAtAllAddressesIsFound(String any) throws Exception {
        try (ServerSocket server = new ServerSocket()) {
            server.bind(new InetSocketAddress(Literals.address(any), 0));
            TcpTable table = TcpTable.of(Path.of("/proc/self"));
            assertNotNull(table.listenerAt(Literals.address("127.0.0.1"), server.getLocalPort()));
        }
    }
}
