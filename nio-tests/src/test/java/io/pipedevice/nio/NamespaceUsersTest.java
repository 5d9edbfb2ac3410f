// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.ReadableClassPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Users of two network namespaces. {@code 1000} is that user of the host; {@code 1000 as root} has made a user
 * namespace in which it is root, and the network namespace in that.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NamespaceUsersTest extends NamespacesFixture {
    private static final String AS_ROOT = " as root";

    @TempDir
    private static Path classes;

    private static String classPath;

    @BeforeAll
    static void copyClasses() throws IOException {
        classPath = ReadableClassPath.in(classes);
    }

    private static List<String> wrapper(String user) {
        String number = user.replace(AS_ROOT, "");
        List<String> become = List.of("setpriv", "--reuid=" + number, "--regid=" + number, "--clear-groups");
        return user.endsWith(AS_ROOT)
                ? Stream.concat(become.stream(), Stream.of("unshare", "--user", "--map-root-user", "--net"))
                        .toList()
                : Stream.concat(Stream.of("unshare", "--net"), become.stream()).toList();
    }

    private static boolean mayMakeUserNamespaces() throws IOException {
        Process process = new ProcessBuilder(
                        "setpriv",
                        "--reuid=1000",
                        "--regid=1000",
                        "--clear-groups",
                        "unshare",
                        "--user",
                        "--net",
                        "true")
                .start();
        return process.onExit().join().exitValue() == 0;
    }

    @ParameterizedTest
    @CsvSource({
        "same-user, 1000, 1000, rings",
        "same-user, 1000, 2000, kernel(other-user)",
        "same-user, 0, 1000, kernel(other-user)",
        "same-user, 1000 as root, 1000, rings",
        "same-user, 0, 1000 as root, kernel(other-user)",
        "same-user, 1000 as root, 2000 as root, kernel(other-user)",
        "any, 1000, 2000, rings",
        // Root of the namespace could choose the sequence numbers that tell the ends of a connection.
        "any, 2000, 1000 as root, kernel(other-user)"
    })
    void thePolicyDecidesThePathBetweenPrograms(String policy, String serverUser, String clientUser, String way)
            throws IOException {
        assumeTrue(
                !(serverUser + clientUser).contains(AS_ROOT) || mayMakeUserNamespaces(),
                "users may not make user namespaces here");
        startDriver("-Dpipedevice.driver.policy=" + policy);
        ChildJvm server = station(1, program(wrapper(serverUser), accelerated(), classPath));
        ChildJvm client = station(2, program(wrapper(clientUser), accelerated(), classPath));
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        joinByWay(way, client, "connect " + address(1) + " " + PORT, server, "accept");
        assertStreamBothWays(client, server);
    }
}
