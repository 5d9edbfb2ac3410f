// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.jdk.Literals;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A JVM that is configured not to use IPv6. */
@Timeout(60)
class Ipv4OnlyContractTest {
    /**
     * Prints, for each provider, the result of connecting a channel to an IPv6 address, and then to an IPv4 address.
     */
    static final class Program {
        public static void main(String[] arguments) throws IOException {
            System.out.println("JDK " + outcome(Providers.JDK));
            System.out.println("OWN " + outcome(Providers.PIPEDEVICE));
        }

        private static String outcome(SelectorProvider provider) throws IOException {
            try (ServerSocketChannel listener = provider.openServerSocketChannel();
                    SocketChannel client = provider.openSocketChannel()) {
                listener.bind(new InetSocketAddress(Literals.address("127.0.0.1"), 0));
                int port = listener.socket().getLocalPort();
                List<Object> seen = new ArrayList<>();
                try {
                    seen.add(client.connect(new InetSocketAddress(Literals.address("::1"), port)));
                } catch (IOException | IllegalArgumentException e) {
                    seen.add(e);
                }
                seen.add(client.isOpen());
                seen.add(client.isOpen() && client.connect(listener.getLocalAddress()));
                return seen.toString();
            }
        }
    }

    @Test
    void refusesAnIpv6AddressAndLeavesTheChannelOpen() throws IOException {
        List<String> flags = new ArrayList<>(ChildJvm.inheritedFlags());
        flags.add("-Djava.net.preferIPv4Stack=true");
        try (ChildJvm child = ChildJvm.start(List.of(), flags, Program.class)) {
            String expected = "[java.nio.channels.UnsupportedAddressTypeException, true, true]";
            assertEquals(expected, child.expect("JDK "));
            assertEquals(expected, child.expect("OWN "));
            assertEquals(0, child.awaitEnd());
        }
    }
}
