// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reasons why two programs that both have PipeDevice have connections on the kernel. */
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DoctorPeersIT extends DoctorPrograms {
    private static final String ONE_USER =
            "; run both as one user, or both with -Dpipedevice.driver=DIR and a driver of root" + " with --policy any";

    @Test
    void otherUserIsReportedToBothEnds() throws Exception {
        Process server = server(true);
        String port = next(server);
        Process client = holdAs("12345", "connect", port);
        assertEquals("ready", next(client));
        assertEquals("ready", next(server));
        Diagnosis seen = diagnose(server.pid());
        assertEquals(
                "problem not-pipedevice-peer 1 from 127.0.0.1 at port " + port + ": process " + client.pid()
                        + " (java) belongs to user 12345, and this program to user 0" + ONE_USER,
                seen.line("not-pipedevice-peer"));
        assertEquals(
                "problem other-user 1 to 127.0.0.1:" + port + ": process " + server.pid()
                        + " (java) belongs to user 0, and this program to user 12345" + ONE_USER,
                diagnose(client.pid()).line("other-user"));
    }

    @Test
    void overflowUserIsAdvisedToTakeAnotherNumber() throws Exception {
        String port = next(holdAs("65534", "serve", "accept"));
        Process client = holdAs("65534", "connect", port);
        assertEquals("ready", next(client));
        Diagnosis seen = diagnose(client.pid());
        assertTrue(seen.line("other-user").contains("both ends belong to user 65534"), seen::toString);
        assertTrue(seen.line("other-user").contains("another number"), seen::toString);
    }

    @Test
    void doctorThatMayNotInspectTheServerStillSeesItsUser() throws Exception {
        Process server = server(true);
        Process client = holdAs("12345", "connect", next(server));
        assertEquals("ready", next(client));
        List<String> command = new ArrayList<>(asUser("12345"));
        command.addAll(List.of(JAVA, SMALL, "-jar", Jvm.JAR.toString(), "doctor", Long.toString(client.pid())));
        Process doctor = startIn(Path.of(""), true, command.toArray(String[]::new));
        String all = String.join("\n", doctor.inputReader().readAllLines());
        assertTrue(
                all.contains("a process that this doctor may not inspect belongs to user 0, and this program to"), all);
    }

    @Test
    void nativeTransportOfTheServerIsNamedToItsClient() throws Exception {
        Path library = Files.write(dir.resolve("libnetty_transport_native_epoll_x86_641234.so"), new byte[1]);
        Process server = holdWith(CHANNELS_ALONE, "open", "map", library.toString(), "listen", "take");
        String port = next(server);
        Process client = client(true, "connect", port);
        assertEquals("ready", next(server));
        assertEquals(
                "problem no-rendezvous 1 to 127.0.0.1:" + port + ": in process " + server.pid()
                        + " (java), Netty's own epoll transport bypasses java.nio; start the program with"
                        + " -Dio.netty.transport.noNative=true",
                diagnose(client.pid()).line("no-rendezvous"));
    }

    @Test
    void serverThatUsesSocketsOfJavaNetBesideChannelsIsNoProblemOfItsClient() throws Exception {
        Process server = holdWith(CHANNELS_ALONE, "open", "listen", "take");
        String port = next(server);
        Process client = client(true, "connect", port);
        assertEquals("ready", next(server));
        assertEquals(
                "note no-rendezvous 1 to 127.0.0.1:" + port + ": process " + server.pid()
                        + " (java) has PipeDevice, and uses sockets of java.net that stay on the kernel: the agent"
                        + " accelerates them, unless -Dpipedevice.sockets=channels",
                diagnose(client.pid()).line("no-rendezvous"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void driverThatOnlyOneEndNamesIsReportedToBoth(boolean ofServer) throws Exception {
        String flag = "-Dpipedevice.driver=" + dir;
        String advice = "; start both with the same -Dpipedevice.driver, or both without";
        try (PipeDeviceDriver driver = PipeDeviceDriver.launch(new DriverContext().directory(dir))) {
            Process server = ofServer ? holdWith(flag, "serve", "accept") : server(true);
            String port = next(server);
            Process client = ofServer ? hold(true, "connect", port) : holdWith(flag, "connect", port);
            assertEquals("ready", next(client), driver::toString);
            assertEquals("ready", next(server));
            String with = "names the driver at " + dir + ", and this program no driver" + advice;
            String without = "names no driver, and this program the driver at " + dir + advice;
            assertEquals(
                    "problem no-rendezvous 1 to 127.0.0.1:" + port + ": process " + server.pid() + " (java) "
                            + (ofServer ? with : without),
                    diagnose(client.pid()).line("no-rendezvous"));
            assertEquals(
                    "problem not-pipedevice-peer 1 from 127.0.0.1 at port " + port + ": process " + client.pid()
                            + " (java) " + (ofServer ? without : with),
                    diagnose(server.pid()).line("not-pipedevice-peer"));
        }
    }

    @Test
    void listenerThatSharesItsPortIsNamedToBothEnds() throws Exception {
        Process server = hold(true, "shared", "serve", "accept");
        String port = next(server);
        Process client = client(true, "connect", port);
        assertEquals("ready", next(server));
        String advice =
                " has SO_REUSEPORT, with which the kernel distributes the connections among all listeners of the"
                        + " port; use one listener without that option";
        assertEquals(
                "problem no-rendezvous 1 to 127.0.0.1:" + port + ": the listener at port " + port + advice,
                diagnose(client.pid()).line("no-rendezvous"));
        assertEquals(
                "problem shared-port 1 from 127.0.0.1 at port " + port + ": this listener" + advice,
                diagnose(server.pid()).line("shared-port"));
    }

    @Test
    void clientThatChoseTheKernelForAReasonOfItsOwnIsNamed() throws Exception {
        Process server = server(true);
        String port = next(server);
        Process stopped = start("kill", "-STOP", Long.toString(server.pid()));
        assertEquals(0, stopped.waitFor());
        Process client = client(true, "connect", port);
        assertEquals(0, start("kill", "-CONT", Long.toString(server.pid())).waitFor());
        assertEquals("ready", next(server));
        Diagnosis seen = diagnose(server.pid());
        assertTrue(
                seen.line("not-pipedevice-peer")
                        .endsWith("process " + client.pid()
                                + " (java) chose the kernel (handshake failed); see: pipedevice doctor "
                                + client.pid()),
                seen::toString);
    }

    @Test
    void addressOfAnotherNetworkNamespaceIsDistinguishedFromOneOfAnotherHost() throws Exception {
        Process host = namespace();
        Process container = namespace();
        String link = "ip link add pd0 type veth peer name pd1 netns " + container.pid()
                + " && ip addr add 192.0.2.1/24 dev pd0 && ip link set pd0 up";
        String peer = "ip addr add 192.0.2.2/24 dev pd1 && ip link set pd1 up";
        assumeTrue(start(in(host, "sh", "-c", link)).waitFor() == 0, "no veth");
        assertEquals(0, start(in(container, "sh", "-c", peer)).waitFor());
        Process server = start(in(container, JAVA, SMALL, "-cp", CLASSES, HOLDING, "bind", "192.0.2.2", "accept"));
        String port = next(server);
        Process client = start(in(host, JAVA, AGENT, SMALL, "-cp", CLASSES, HOLDING, "connect", "192.0.2.2:" + port));
        assertEquals("ready", next(client));
        assertEquals(
                "note peer-not-local 1 to 192.0.2.2:" + port
                        + ": in another network namespace (container) of this host, in process " + server.pid()
                        + " (java); without a driver rings connect programs of one network namespace, such as a pod",
                diagnose(client.pid()).line("peer-not-local"));
    }

    private Process namespace() throws IOException, InterruptedException {
        Process process = start("unshare", "-n", "sh", "-c", "ip link set lo up; echo ready; exec cat");
        assumeTrue("ready".equals(next(process)), "may not create a network namespace");
        return process;
    }

    private static String[] in(Process namespace, String... command) {
        List<String> words = new ArrayList<>(List.of("nsenter", "--net=/proc/" + namespace.pid() + "/ns/net"));
        words.addAll(List.of(command));
        return words.toArray(String[]::new);
    }
}
