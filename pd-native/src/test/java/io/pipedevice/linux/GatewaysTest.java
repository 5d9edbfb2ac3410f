// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.jdk.Literals;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewaysTest {
    private static final String HEADER = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\n";
    private static final String DEFAULT6 = "00000000000000000000000000000000 00 00000000000000000000000000000000 00 ";
    private static final String REST6 = " 00000400 00000003 00000000 00000003     eth0\n";

    @TempDir
    private Path directory;

    private List<InetAddress> of(String route, String route6) throws IOException {
        Files.writeString(directory.resolve("route"), route);
        Files.writeString(directory.resolve("ipv6_route"), route6);
        return Gateways.read(directory);
    }

    @Test
    void theGatewaysOfBothFamiliesAreRead() throws IOException {
        assertEquals(
                List.of(Literals.address("10.88.0.1"), Literals.address("fd00::1")),
                of(
                        HEADER
                                + "eth0\t00000000\t0100580A\t0003\t0\t0\t0\t00000000\n"
                                + "eth0\t0000580A\t00000000\t0001\t0\t0\t0\t0000FFFF\n"
                                + "eth0\t00000A0A\t0100580A\t0003\t0\t0\t0\t0000FFFF\n",
                        DEFAULT6 + "fd000000000000000000000000000001" + REST6));
    }

    @Test
    void anAddressOfTheLinkIsNoAnswer() throws IOException {
        assertEquals(List.of(), of(HEADER, DEFAULT6 + "fe800000000000000000000000000001" + REST6));
    }

    @Test
    void aProcessWithManyRoutesGetsFourGateways() throws IOException {
        StringBuilder routes = new StringBuilder(HEADER);
        for (int i = 1; i < 1000; i++) {
            routes.append(String.format("eth0\t0000%04X\t%04X580A\t0003\t0\t0\t0\t0000FFFF%n", i, i));
        }
        assertEquals(4, of(routes.toString(), "").size());
    }

    @Test
    void theDefaultRouteNeedNotBeTheFirst() throws IOException {
        StringBuilder routes = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            routes.append("fd000000000000000000000000000000 40 ")
                    .append("0".repeat(32))
                    .append(" 00 ");
            routes.append("0".repeat(32)).append(REST6);
        }
        assertEquals(
                List.of(Literals.address("fd00::1")),
                of(HEADER, routes + DEFAULT6 + "fd000000000000000000000000000001" + REST6));
    }

    @Test
    void whatIsNoTableOfRoutesHasNone() throws IOException {
        assertEquals(List.of(), of("a b c\nd e xyz f\ng h 0102\n\n", "1 2 3 4 ffff 5\n"));
    }

    @Test
    void aProcessThatHasEndedHasNone() {
        assertTrue(Gateways.of(Integer.MAX_VALUE).isEmpty());
    }
}
