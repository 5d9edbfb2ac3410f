// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.jdk.Literals;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Finds the TCP socket that listens at an address, by a query to the kernel and in the kernel's table. */
@Timeout(60)
class TcpListenerTest {
    private static final int SELF = (int) ProcessHandle.current().pid();

    private static ServerSocket listen(String at) throws IOException {
        try {
            return new ServerSocket(0, 1, Literals.address(at));
        } catch (IOException e) {
            assumeTrue(false, "no address " + at);
            throw e;
        }
    }

    private static InetSocketAddress address(String to, ServerSocket server) {
        return new InetSocketAddress(Literals.address(to), server.getLocalPort());
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1, 127.0.0.1",
        "127.0.0.2, 127.0.0.2, 127.0.0.2",
        "0.0.0.0, 127.0.0.1, ::",
        "::, 127.0.0.2, ::",
        "::, ::1, ::",
        "::1, ::1, ::1"
    })
    void isFoundAtAllItsAddresses(String at, String by, String bound) throws IOException {
        try (ServerSocket server = listen(at)) {
            TcpListener listener = TcpListener.at(address(by, server));
            assertEquals(address(bound, server), listener.address());
            assertEquals(ProcessFacts.effectiveUid(), listener.uid());
            assertNotEquals(SocketSearch.NONE, SocketSearch.descriptor(SELF, listener.inode(), SocketSearch.NONE));
            assertEquals(listener, TcpListenerTable.find(address(by, server)));
        }
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.2", "127.0.0.1, ::1", "::1, 127.0.0.1"})
    void isFoundNowhereElse(String at, String by) throws IOException {
        try (ServerSocket server = listen(at)) {
            assertNull(TcpListener.at(address(by, server)));
            assertNull(TcpListenerTable.find(address(by, server)));
        }
    }

    @Test
    void isGoneWhenItIsClosed() throws IOException {
        InetSocketAddress to;
        try (ServerSocket server = listen("127.0.0.1")) {
            to = address("127.0.0.1", server);
        }
        assertNull(TcpListener.at(to));
        assertNull(TcpListenerTable.find(to));
    }

    @Test
    void aDescriptorIsFoundAgainAtOnceAndNotInAProcessThatLacksIt() throws IOException {
        Process other = new ProcessBuilder("sleep", "60").start();
        try (ServerSocket server = listen("127.0.0.1")) {
            long inode = TcpListener.at(address("127.0.0.1", server)).inode();
            int descriptor = SocketSearch.descriptor(SELF, inode, SocketSearch.NONE);
            assertEquals(descriptor, SocketSearch.descriptor(SELF, inode, descriptor));
            assertEquals(descriptor, SocketSearch.descriptor(SELF, inode, 0));
            assertEquals(SocketSearch.NONE, SocketSearch.descriptor((int) other.pid(), inode, descriptor));
        } finally {
            other.destroyForcibly().onExit().join();
        }
    }

    @Test
    void theUsersOfUnixSocketsAreFoundByTheirNames() throws LinuxException {
        String prefix = "pd-test-" + SELF + "/";
        try (UnixSocket first = listen(prefix, "first");
                UnixSocket second = listen(prefix, "second");
                UnixSocket other = listen("pd-other-" + SELF, "third")) {
            assertTrue(first.fd().isOpen() && second.fd().isOpen() && other.fd().isOpen());
            Integer self = ProcessFacts.effectiveUid();
            assertEquals(
                    java.util.Map.of(prefix + "first", self, prefix + "second", self), UnixListeners.users(prefix));
        }
    }

    private static UnixSocket listen(String prefix, String name) throws LinuxException {
        return UnixSocket.listen(UnixSocket.Type.SEQPACKET, UnixAddress.abstractName(prefix + name), 1);
    }
}
