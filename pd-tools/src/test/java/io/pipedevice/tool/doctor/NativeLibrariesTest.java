// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NativeLibrariesTest {
    private static final String SHADED = "/tmp/libio_grpc_netty_shaded_netty_transport_native_epoll_x86_64.so";
    private static final String OWN = "/tmp/libnetty_transport_native_epoll_x86_641.so";

    private static List<Finding> findings(String... paths) {
        return NativeLibraries.findings(List.of(paths), List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "/tmp/libnetty_transport_native_epoll_x86_649876.so (deleted), PROBLEM, netty-epoll",
        "/tmp/libnetty_transport_native_io_uring42_x86_641.so, PROBLEM, netty-io-uring",
        "/tmp/libnetty_quiche42_linux_x86_64.so, NOTE, netty-quic",
        "/tmp/libnetty_tcnative_linux_x86_64123.so, NOTE, openssl",
        "/usr/lib/libtcnative-2.so.0, NOTE, openssl",
        "/usr/lib/libtcnative-1.so, NOTE, tomcat-native",
        "/usr/lib/libonload.so, PROBLEM, replaced-sockets"
    })
    void libraryIsRecognisedByItsName(String path, Finding.Level level, String code) {
        List<Finding> found = findings("/usr/lib/libc.so.6", path);
        assertEquals(1, found.size(), found::toString);
        assertEquals(level, found.get(0).level());
        assertEquals(code, found.get(0).code());
    }

    @Test
    void copyOfNettyHasACopyOfTheSwitch() {
        List<Finding> found = findings(SHADED);
        assertTrue(
                found.get(0).text().endsWith(" -Dio.grpc.netty.shaded.io.netty.transport.noNative=true"),
                found::toString);
    }

    @Test
    void librariesOfEveryJvmAreNoFinding() {
        assertEquals(
                List.of(),
                findings("/jdk/lib/libnio.so", "/jdk/lib/libnet.so", "/jdk/lib/libextnet.so", "/tmp/app.jar"));
    }

    @Test
    void aLibraryThatIsMappedTwiceIsReportedOnce() {
        assertEquals(1, findings(OWN, OWN).size());
    }

    @Test
    void aTransportThatWasSwitchedIsNoProblem() {
        List<Finding> found = NativeLibraries.findings(
                List.of(OWN, SHADED), List.of("io.grpc.netty.shaded.io.netty.channel.epoll.Epoll"));
        assertEquals(
                List.of("netty-epoll", "netty-switched"),
                found.stream().map(Finding::code).toList(),
                found::toString);
        assertTrue(found.get(0).text().endsWith(" -Dio.netty.transport.noNative=true"), found::toString);
    }
}
