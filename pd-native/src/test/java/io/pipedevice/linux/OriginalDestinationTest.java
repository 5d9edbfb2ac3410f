// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.pipedevice.jdk.Literals;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Rewritten connections: OwnAddressesTest of the system tests. */
class OriginalDestinationTest {
    @Test
    void aSocketThatIsNotConnectedHasNone() throws LinuxException {
        for (String address : new String[] {"127.0.0.1", "::1"}) {
            InetSocketAddress at = new InetSocketAddress(Literals.address(address), 0);
            try (Fd socket = TcpPort.reserve(at)) {
                assertFalse(OriginalDestination.isOther(socket.acquire(), TcpPort.address(socket)));
                socket.release();
            }
        }
    }

    @Test
    void aDescriptorThatIsNoSocketHasNone() throws LinuxException {
        assertFalse(OriginalDestination.isOther(-1, new InetSocketAddress(Literals.address("::1"), 1)));
    }
}
