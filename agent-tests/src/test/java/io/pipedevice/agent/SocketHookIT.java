// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.program.socket.WayProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** By which ways in the sockets of java.net are on rings, also beside other agents. */
@Timeout(480)
class SocketHookIT {
    private static final String AGENT = "-javaagent:" + Jvm.AGENT_JAR;
    private static final String ON_RINGS = "received 42, on rings";
    private static final String ON_KERNEL = "received 42, on kernel";

    @TempDir
    private static Path dir;

    private static Jvm.Result run(String flags, String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(flags.split(" ", -1)));
        command.addAll(List.of("-cp", "target/test-classes:" + Jvm.AGENT_JAR, WayProgram.class.getName()));
        command.addAll(List.of(args));
        return Jvm.java(command.toArray(String[]::new)).run();
    }

    private static Jvm.Result quiet(String... out) {
        return new Jvm.Result(0, List.of(out), List.of());
    }

    @Test
    void theAgentPutsSocketsOnRings() throws Exception {
        assertEquals(quiet(ON_RINGS), run(AGENT));
        assertEquals(quiet(ON_RINGS), run(AGENT + " -Dpipedevice.sockets=all " + AGENT));
        assertEquals(quiet(ON_KERNEL), run(AGENT + " -Dpipedevice.sockets=channels"));
    }

    @Test
    void theSwitchAloneLeavesThemToTheJdk() throws Exception {
        assertEquals(
                List.of(ON_KERNEL),
                run("-Djava.nio.channels.spi.SelectorProvider=io.pipedevice.nio.PipeDeviceSelectorProvider")
                        .out());
    }

    @Test
    void aProgramThatNamesAnotherProviderGetsTheJdksSockets() throws Exception {
        assertEquals(quiet("received 42, by the JDK"), run(AGENT, "provider"));
    }

    @Test
    void theFactoriesOfJavaNetBelongToTheProgram() throws Exception {
        assertEquals(
                quiet("IllegalStateException the program's factory", "IllegalStateException the program's factory"),
                run(AGENT, "factory"));
    }

    @Test
    void anAgentThatTransformsTheClassAgainChangesNothing() throws Exception {
        assertEquals(quiet(ON_RINGS), run(AGENT + " " + EarlyAgent.flag(dir) + "=transform"));
        assertEquals(quiet(ON_RINGS), run(EarlyAgent.flag(dir) + "=transform " + AGENT));
    }

    @Test
    void anAgentThatOpenedASocketBeforeIsReportedInOneLine() throws Exception {
        assertEquals(
                new Jvm.Result(
                        0,
                        List.of(ON_KERNEL),
                        List.of("PipeDevice: a socket was opened before PipeDevice started; name"
                                + " -javaagent:pipedevice-agent.jar before other agents: sockets of java.net stay on kernel TCP,"
                                + " channels do not")),
                run(EarlyAgent.flag(dir) + "=socket " + AGENT));
    }

    @Test
    void aValueThatIsNotAllowedIsReportedByTheFirstSocket() throws Exception {
        Jvm.Result result = run(AGENT + " -Dpipedevice.sockets=some");
        assertEquals(List.of("received 42, by the JDK"), result.out());
        assertEquals(
                1,
                result.err().stream()
                        .filter(line -> line.contains("pipedevice.sockets") && line.contains("all and channels"))
                        .count(),
                result::toString);
    }
}
