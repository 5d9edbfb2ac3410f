// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.program.EchoProgram;
import io.pipedevice.program.OtherVersionProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The doctor's findings about real programs. */
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DoctorIT extends DoctorPrograms {
    private static final String IF_JVM =
            " if that was a JVM without PipeDevice, start it with -javaagent:pipedevice-agent.jar; with it, sockets of"
                    + " java.net stay on the kernel where -Dpipedevice.sockets=channels";

    /** A flag by which asynchronous channels stay the JDK's. */
    private static final String JDK_ASYNCHRONOUS =
            "-Djava.nio.channels.spi.AsynchronousChannelProvider=sun.nio.ch.LinuxAsynchronousChannelProvider";

    @Test
    void twoProgramsOnRingsAreAccelerated() throws Exception {
        Process server = server(true);
        Process client = client(true, "connect", next(server));
        assertEquals("ready", next(server));
        for (Process process : List.of(server, client)) {
            Diagnosis seen = diagnose(process.pid());
            assertEquals(
                    "ok accelerated 1 of 1 connections of java.nio on rings, 1 of them open", seen.line("accelerated"));
            assertTrue(seen.line("program").startsWith("note program " + process.pid() + " " + HOLDING + ", Java 25"));
            assertFalse(seen.has("other-tcp"), seen::toString);
            assertEquals(0, seen.exit(), seen::toString);
        }
    }

    @Test
    void serverWithoutPipeDeviceIsNamedToItsClient() throws Exception {
        Process server = server(false);
        String port = next(server);
        Process client = client(true, "connect", port);
        Diagnosis seen = diagnose(client.pid());
        assertEquals(
                "problem no-rendezvous 1 to 127.0.0.1:" + port + ": process " + server.pid()
                        + " (java) has no PipeDevice; start it with -javaagent:pipedevice-agent.jar",
                seen.line("no-rendezvous"));
        assertTrue(seen.line("accelerated").startsWith("problem accelerated 0 of 1 "), seen::toString);
        assertEquals(3, seen.exit(), seen::toString);

        assertEquals("ready", next(server));
        Diagnosis other = diagnose(server.pid());
        assertTrue(other.line("no-pipedevice").startsWith("problem "), other::toString);
        assertTrue(other.line("other-tcp").startsWith("note other-tcp 1 open TCP connections"), other::toString);
        assertEquals(4, other.exit(), other::toString);
    }

    @Test
    void clientWithoutPipeDeviceIsNamedToItsServer() throws Exception {
        Process server = server(true);
        String port = next(server);
        Process client = client(false, "connect", port);
        assertEquals("ready", next(server));
        Diagnosis seen = diagnose(server.pid());
        assertEquals(
                "problem not-pipedevice-peer 1 from 127.0.0.1 at port " + port + ": process " + client.pid()
                        + " (java) has no PipeDevice; start it with -javaagent:pipedevice-agent.jar",
                seen.line("not-pipedevice-peer"));
        assertEquals(3, seen.exit(), seen::toString);
    }

    @Test
    void clientThatUsesSocketsOfJavaNetIsNoProblemOfItsServer() throws Exception {
        Process server = server(true);
        String port = next(server);
        Process client = holdWith(CHANNELS_ALONE, "socket", port);
        assertEquals("ready", next(client));
        assertEquals("ready", next(server));
        Diagnosis seen = diagnose(server.pid());
        assertEquals(
                "note not-pipedevice-peer 1 from 127.0.0.1 at port " + port + ": process " + client.pid()
                        + " (java) has PipeDevice, and uses sockets of java.net that stay on the kernel: the agent"
                        + " accelerates them, unless -Dpipedevice.sockets=channels",
                seen.line("not-pipedevice-peer"));
        assertEquals(0, seen.exit(), seen::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Dpipedevice.enabled=false", "-Dpipedevice.ring.max=1"})
    void serverWithPipeDeviceOffIsNamedToItsClient(String flag) throws Exception {
        Process server = start(JAVA, AGENT, SMALL, flag, "-cp", CLASSES, HOLDING, "serve", "accept");
        String port = next(server);
        Process client = client(true, "connect", port);
        Diagnosis seen = diagnose(client.pid());
        assertEquals(
                "problem no-rendezvous 1 to 127.0.0.1:" + port + ": process " + server.pid()
                        + " (java) has PipeDevice, which is off there; see: pipedevice doctor " + server.pid(),
                seen.line("no-rendezvous"));
        assertEquals(3, seen.exit(), seen::toString);
    }

    @Test
    void serverOfAClientThatIsNoJvmIsAsWellAsItCanBe() throws Exception {
        Process server = server(true);
        String port = next(server);
        Process client = start("bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/" + port + "; exec cat");
        assertEquals("ready", next(server));
        Diagnosis seen = diagnose(server.pid());
        assertEquals(
                "note not-pipedevice-peer 1 from 127.0.0.1 at port " + port + ": process " + client.pid()
                        + " (cat) is no JVM",
                seen.line("not-pipedevice-peer").replace("(bash)", "(cat)"));
        assertTrue(seen.line("accelerated").startsWith("note accelerated 0 of 1 "), seen::toString);
        assertEquals(0, seen.exit(), seen::toString);
    }

    @Test
    void clientThatHasGoneIsNoProblemOfItsServer() throws Exception {
        Process server = server(true);
        String port = next(server);
        start("bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/" + port).waitFor();
        assertEquals("ready", next(server));
        Diagnosis seen = diagnose(server.pid());
        assertEquals(
                "note not-pipedevice-peer 1 from 127.0.0.1 at port " + port + ": the client has closed it since;"
                        + IF_JVM,
                seen.line("not-pipedevice-peer"));
        assertEquals(0, seen.exit(), seen::toString);
    }

    @Test
    void serverThatHasGoneIsNoProblemOfItsClient() throws Exception {
        Process server = server(false);
        String port = next(server);
        Process client = client(true, "connect", port);
        server.destroyForcibly().waitFor();
        Diagnosis seen = diagnose(client.pid());
        assertEquals(
                "note no-rendezvous 1 to 127.0.0.1:" + port + ": no process listens there any more;" + IF_JVM,
                seen.line("no-rendezvous"));
        assertEquals(0, seen.exit(), seen::toString);
    }

    @Test
    void otherVersionIsDistinguishedFromNone() throws Exception {
        Process server = start(
                JAVA,
                SMALL,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                CLASSES + ":" + Jvm.JAR,
                OtherVersionProgram.class.getName());
        String port = next(server);
        Process client = client(true, "connect", port);
        Diagnosis seen = diagnose(client.pid());
        assertEquals(
                "problem no-rendezvous 1 to 127.0.0.1:" + port + ": process " + server.pid()
                        + " (java) has another version of PipeDevice; use the same pipedevice.jar for both",
                seen.line("no-rendezvous"));
        assertEquals(3, seen.exit(), seen::toString);

        Diagnosis other = diagnose(server.pid());
        assertTrue(other.line("other-version").startsWith("problem "), other::toString);
        assertFalse(other.has("no-pipedevice") || other.has("other-tcp"), other::toString);
        assertEquals(3, other.exit(), other::toString);
    }

    @Test
    void socketsOfJavaNetAreAccelerated() throws Exception {
        Process server = hold(true, "listen", "take");
        Process client = client(true, "socket", next(server));
        assertEquals("ready", next(server));
        for (Process each : new Process[] {server, client}) {
            Diagnosis seen = diagnose(each.pid());
            assertTrue(seen.line("accelerated").startsWith("ok accelerated 1 of 1 "), seen::toString);
            assertEquals(0, seen.exit(), seen::toString);
        }
    }

    @Test
    void socketsOfJavaNetThatStayTheJdksAreNamedAtTheEndOfTheProgram() throws Exception {
        for (boolean channels : List.of(true, false)) {
            Process server = hold(true, "listen", "take");
            List<String> command = new ArrayList<>(List.of(JAVA, SMALL, "-cp", CLASSES));
            if (channels) {
                command.add(CHANNELS_ALONE);
            }
            command.addAll(List.of(HOLDING, "socket", next(server)));
            Diagnosis seen = run(command.toArray(String[]::new));
            assertEquals(channels, seen.has("java-net-socket"), seen::toString);
            assertEquals(channels ? 3 : 0, seen.exit(), seen::toString);
        }
    }

    @Test
    void socketsOfJavaNetThatStayTheJdksAreReportedSeparately() throws Exception {
        Process server = server(true);
        String port = next(server);
        Process client = holdWith(CHANNELS_ALONE, "socket", port);
        assertEquals("ready", next(client));
        assertEquals("ready", next(server));
        Diagnosis seen = diagnose(client.pid());
        assertTrue(seen.line("no-channel").startsWith("problem "), seen::toString);
        assertEquals(
                "note other-tcp 1 open TCP connections within this host belong to native code, or to sockets and"
                        + " asynchronous channels that stay the JDK's: with 127.0.0.1:" + port,
                seen.line("other-tcp"));
        assertEquals(3, seen.exit(), seen::toString);
    }

    @Test
    void asynchronousChannelsOfTheJdkHaveNoRingsAndAreNoProblemOfTheirServer() throws Exception {
        Process server = server(true);
        String port = next(server);
        Process client = holdWith(JDK_ASYNCHRONOUS, "asynchronous", port);
        assertEquals("ready", next(client));
        assertEquals("ready", next(server));
        Diagnosis seen = diagnose(client.pid());
        assertEquals("problem no-channel " + NO_CHANNEL, seen.line("no-channel"));
        assertTrue(seen.line("other-tcp").contains(" asynchronous channels that stay the JDK's: "), seen::toString);
        assertEquals(3, seen.exit(), seen::toString);

        Diagnosis other = diagnose(server.pid());
        assertEquals(
                "note not-pipedevice-peer 1 from 127.0.0.1 at port " + port + ": process " + client.pid()
                        + " (java) has PipeDevice, and uses native code, or asynchronous channels of another provider, whose"
                        + " connections stay on the kernel",
                other.line("not-pipedevice-peer"));
        assertEquals(0, other.exit(), other::toString);
    }

    @Test
    void asynchronousChannelsAreOnRings() throws Exception {
        Process server = server(true);
        // Such a connect does not block, and so waits for a slow server by the clock, and only half as long.
        Process client = holdWith("-Dpipedevice.handshake.millis=10000", "asynchronous", next(server));
        assertEquals("ready", next(client));
        assertEquals("ready", next(server));
        assertEquals(
                "ok accelerated 1 of 1 connections of java.nio on rings, 1 of them open",
                diagnose(client.pid()).line("accelerated"));
    }

    @Test
    void asynchronousChannelsOfTheJdkAreNamedAtTheEndOfTheProgram() throws Exception {
        Process server = server(true);
        Diagnosis seen = run(JAVA, JDK_ASYNCHRONOUS, SMALL, "-cp", CLASSES, HOLDING, "asynchronous", next(server));
        assertEquals("problem no-channel " + NO_CHANNEL, seen.line("no-channel"));
        assertTrue(seen.line("asynchronous-channels").startsWith("note "), seen::toString);
        assertEquals(3, seen.exit(), seen::toString);
    }

    @Test
    void nativeTransportOfNettyIsNamedWithItsSwitch() throws Exception {
        Path library = Files.write(dir.resolve("libnetty_transport_native_epoll_x86_641234.so"), new byte[1]);
        Process program = hold(true, "map", library.toString());
        assertEquals("ready", next(program));
        Diagnosis seen = diagnose(program.pid());
        assertTrue(seen.line("netty-epoll").endsWith("with -Dio.netty.transport.noNative=true"), seen::toString);
        assertEquals(3, seen.exit(), seen::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "-Dpipedevice.enabled=false, disabled",
        "-Djava.nio.channels.spi.SelectorProvider=sun.nio.ch.EPollSelectorProvider, other-provider",
        "-Dpipedevice.ring.max=1, off",
        "-Dpipedevice.driver=/nowhere, no-driver"
    })
    void flagThatKeepsPipeDeviceOutIsNamed(String flag, String code) throws Exception {
        Process program = start(JAVA, AGENT, SMALL, flag, "-cp", CLASSES, HOLDING, "serve");
        assertTrue(Integer.parseInt(next(program)) > 0);
        Diagnosis seen = diagnose(program.pid());
        assertTrue(seen.line(code).startsWith("problem " + code), seen::toString);
        assertEquals(code.equals("no-driver") ? 3 : 4, seen.exit(), seen::toString);
    }

    @Test
    void agentThatKeepsPipeDeviceOutIsNamed() throws Exception {
        Process program = start(JAVA, EarlyAgent.flag(dir), AGENT, SMALL, "-cp", CLASSES, HOLDING, "serve");
        assertTrue(Integer.parseInt(next(program)) > 0);
        Diagnosis seen = diagnose(program.pid());
        assertTrue(
                seen.line("off").endsWith("name -javaagent:pipedevice-agent.jar before other agents"), seen::toString);
        assertEquals(4, seen.exit(), seen::toString);
    }

    private Path olderJava() {
        Path home = Path.of("/usr/lib/jvm/java-17-openjdk-amd64");
        assumeTrue(Files.isExecutable(home.resolve("bin/javac")), "no JDK 17");
        return home.resolve("bin/java");
    }

    private Path sourceThatReads() throws IOException {
        return Files.writeString(
                dir.resolve("Hold.java"),
                "class Hold { public static void main(String[] a) throws Exception {"
                        + " System.out.println(\"ready\"); System.in.read(); } }");
    }

    @Test
    void olderJavaIsNamed() throws Exception {
        Process program = start(olderJava().toString(), SMALL, sourceThatReads().toString());
        assertEquals("ready", next(program));
        Diagnosis seen = diagnose(program.pid());
        assertTrue(seen.line("java-version").contains("needs Java 21"), seen::toString);
        assertEquals(4, seen.exit(), seen::toString);
    }

    @Test
    void olderJavaThatTheDoctorRunsIsNamedOnce() throws Exception {
        Diagnosis seen = run(olderJava().toString(), SMALL, sourceThatReads().toString());
        assertEquals(
                1,
                seen.lines().stream()
                        .filter(line -> line.contains("needs Java 21"))
                        .count(),
                seen::toString);
        assertEquals(4, seen.exit(), seen::toString);
    }

    @Test
    void processThatHasEndedIsOneLine() throws Exception {
        Process process = start("true");
        process.waitFor();
        Diagnosis seen = diagnose(process.pid());
        assertTrue(seen.err().startsWith("pipedevice: there is no process " + process.pid()), seen::toString);
        assertEquals(1, seen.exit());
    }

    @Test
    void processWithoutAJvmIsOneLine() throws Exception {
        Process process = start("cat");
        Diagnosis seen = diagnose(process.pid());
        assertTrue(seen.err().contains("(cat) is no JVM"), seen::toString);
        assertEquals(1, seen.exit());
    }

    @Test
    void processOfAnotherUserIsOneLine() throws Exception {
        List<String> command = new ArrayList<>(asUser("65534"));
        Process program = hold(true);
        assertEquals("ready", next(program));
        command.addAll(List.of(JAVA, SMALL, "-jar", Jvm.JAR.toString(), "doctor", Long.toString(program.pid())));
        Process doctor = startIn(Path.of(""), true, command.toArray(String[]::new));
        assertEquals(
                "pipedevice: process " + program.pid() + " belongs to user 0; run the doctor as that user, or as root",
                next(doctor));
        assertEquals(1, doctor.waitFor());
    }

    private static Diagnosis run(String... command) throws Exception {
        Jvm jvm = Jvm.java(SMALL, "-jar", Jvm.JAR.toString(), "doctor", "--").args(command);
        Jvm.Result result = jvm.run();
        List<String> said = result.err().stream()
                .filter(line -> line.matches("(ok|note|problem) .*"))
                .toList();
        return new Diagnosis(result.exit(), said, result.toString());
    }

    @Test
    void programIsRunToItsEndAndThenExplained() throws Exception {
        Diagnosis seen = run(JAVA, SMALL, "-cp", CLASSES, EchoProgram.class.getName());
        assertTrue(seen.err().contains("echo hello"), seen::toString);
        assertEquals("note exit-code the program ended with 0", seen.line("exit-code"));
        assertEquals(
                "ok accelerated 2 of 2 connections of java.nio on rings, 0 of them open", seen.line("accelerated"));
        assertFalse(seen.has("asynchronous-channels"), seen::toString);
        assertEquals(0, seen.exit(), seen::toString);
    }

    @Test
    void connectionsOfAProgramToItselfNameNoOther() throws Exception {
        Diagnosis seen = run(JAVA, SMALL, "-Dpipedevice.driver=" + dir, "-cp", CLASSES, EchoProgram.class.getName());
        List<String> gone = seen.lines().stream()
                .filter(line -> line.contains(" driver-gone "))
                .toList();
        assertEquals(2, gone.size(), seen::toString);
        assertTrue(gone.stream().allMatch(line -> line.endsWith("pipedevice driver --dir " + dir)), seen::toString);
    }

    @Test
    void otherUserIsReportedAlsoAtTheEndOfTheClient() throws Exception {
        String port = next(holdAs("12345", "serve", "accept"));
        Diagnosis seen = run(JAVA, SMALL, "-cp", CLASSES, HOLDING, "connect", port);
        assertTrue(
                seen.line("other-user").contains(" belongs to user 12345, and this program to user 0; "),
                seen::toString);
    }

    @Test
    void probeOfAStartScriptIsNoProblem() throws Exception {
        String java = JAVA + " " + SMALL + " ";
        String program = java + "-cp " + CLASSES + " " + EchoProgram.class.getName();
        Diagnosis seen = run("sh", "-c", java + "-cp " + CLASSES + " no.such.Program; " + program);
        assertTrue(seen.line("no-channel").startsWith("note "), seen::toString);
        assertEquals(0, seen.exit(), seen::toString);
    }

    @Test
    void programThatOnlyEndsIsExplainedToo() throws Exception {
        Diagnosis seen = run("sh", "-c", JAVA + " " + SMALL + " -cp " + CLASSES + " no.such.Program; exit 7");
        assertEquals("note exit-code the program ended with 7", seen.line("exit-code"));
        assertTrue(seen.line("no-channel").startsWith("problem "), seen::toString);
        assertEquals(3, seen.exit(), seen::toString);
    }

    @Test
    void reportIsLeftInADirectoryOfTheDoctorsAlone() throws Exception {
        Path reports = Files.createDirectory(dir.resolve("reports"));
        Path link = Files.createSymbolicLink(dir.resolve("link"), reports);
        assertEquals(List.of(), reported(link, reports));
        assertEquals(1, reported(reports, reports).size());
    }

    private static List<Path> reported(Path at, Path reports) throws Exception {
        Jvm.Result result = Jvm.java(
                        AGENT, SMALL, "-Dpipedevice.report=" + at, "-cp", CLASSES, EchoProgram.class.getName())
                .run();
        assertEquals(0, result.exit(), result::toString);
        try (Stream<Path> all = Files.list(reports)) {
            return all.toList();
        }
    }

    @Test
    void argumentFilesAreTheProgramsOwn() throws Exception {
        String argument = "@" + Files.writeString(dir.resolve("arguments"), "others");
        Diagnosis seen = run("sh", "-c", "echo \"the $1\"", "x", argument);
        assertTrue(seen.err().contains("the " + argument), seen::toString);
    }

    @Test
    void endOfTheDoctorIsPassedOnAndExplained() throws Exception {
        // Not SIGINT, which the process would ignore if the build itself runs in the background.
        Path said = dir.resolve("said");
        Process doctor = new ProcessBuilder(
                        JAVA,
                        SMALL,
                        "-jar",
                        Jvm.JAR.toString(),
                        "doctor",
                        "--",
                        JAVA,
                        SMALL,
                        "-cp",
                        CLASSES,
                        HOLDING,
                        "serve")
                .redirectError(said.toFile())
                .start();
        started.add(doctor);
        assertTrue(Integer.parseInt(next(doctor)) > 0);
        assertEquals("ready", next(doctor));
        long program = doctor.children().findAny().orElseThrow().pid();
        assertEquals(0, start("kill", "-TERM", Long.toString(doctor.pid())).waitFor());
        assertTrue(doctor.waitFor(60, TimeUnit.SECONDS));
        assertEquals(143, doctor.exitValue());
        assertFalse(ProcessHandle.of(program).isPresent());
        String all = Files.readString(said);
        assertTrue(all.contains("exit-code            the program ended with 143"), all);
        assertTrue(all.contains("no connection of java.nio yet"), all);
    }
}
