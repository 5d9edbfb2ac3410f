// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.program.ChannelLog;
import io.pipedevice.program.EchoProgram;
import io.pipedevice.program.NestedProgram;
import io.pipedevice.program.PoorProgram;
import io.pipedevice.program.SocketEchoProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every way to start a program with PipeDevice, each with a JVM of its own: what the program sees, and what its user
 * reads.
 */
@Timeout(480)
class WaysInIT {
    private static final String OURS = "io.pipedevice.nio.PipeDeviceSelectorProvider";
    private static final String AGENT = "-javaagent:" + Jvm.AGENT_JAR;
    private static final String BOOT = "-Xbootclasspath/a:" + Jvm.AGENT_JAR;
    private static final Path ARGUMENTS = Jvm.AGENT_JAR.resolveSibling("pipedevice.args");
    private static final String SWITCH = "-Djava.nio.channels.spi.SelectorProvider=" + OURS;
    private static final List<String> OURS_SERVES = List.of("provider " + OURS, "echo hello");
    private static final List<String> JDK_SERVES = List.of("provider sun.nio.ch.EPollSelectorProvider", "echo hello");
    private static final String ECHO = EchoProgram.class.getName();

    @TempDir
    private static Path dir;

    /** The jar of the program alone, without a class of PipeDevice. */
    private static Path app;

    @BeforeAll
    static void packageProgram() throws IOException {
        app = ProgramJar.write(
                dir.resolve("app.jar"),
                EchoProgram.class,
                Map.of(
                        ProgramJar.code(EchoProgram.class),
                        EchoProgram.class,
                        ProgramJar.code(SocketEchoProgram.class),
                        SocketEchoProgram.class));
    }

    /** A class path with the program and PipeDevice, as the switch needs it. */
    private static String withPipeDevice() {
        return Jvm.AGENT_JAR + ":" + app;
    }

    private static void assertQuiet(List<String> expected, Jvm jvm) throws IOException, InterruptedException {
        assertEquals(new Jvm.Result(0, expected, List.of()), jvm.run());
    }

    private static void assertSays(String message, List<String> expected, Jvm jvm)
            throws IOException, InterruptedException {
        Jvm.Result result = jvm.run();
        assertEquals(expected, result.out(), result::toString);
        assertEquals(
                1, result.err().stream().filter(line -> line.contains(message)).count(), result::toString);
        assertEquals(0, result.exit(), result::toString);
    }

    @Test
    void programAloneUsesTheJdksProvider() throws Exception {
        assertQuiet(JDK_SERVES, Jvm.java("-cp", app.toString(), ECHO));
    }

    @Test
    void agentServesAClassPath() throws Exception {
        assertQuiet(OURS_SERVES, Jvm.java(AGENT, "-cp", app.toString(), ECHO));
    }

    @Test
    void optionsOfTheAgentAreReportedAndIgnored() throws Exception {
        assertSays(
                "PipeDevice: the agent takes no options and ignores '=spin=never'; settings are system properties,"
                        + " -Dpipedevice.NAME=VALUE",
                OURS_SERVES,
                Jvm.java(AGENT + "=spin=never", "-cp", app.toString(), ECHO));
    }

    /** JEP 483 and 514: the classes that a JVM has loaded and linked are available at once when the next one starts. */
    @Test
    void aotCacheHasWhatTheAgentNeedsOfTheJdk() throws Exception {
        assertCached("jdk.internal.foreign.abi.DowncallLinker", AGENT, "-cp", app.toString(), ECHO);
    }

    @Test
    void aotCacheHasTheAgentsClassesThatAreOnTheBootClassPath() throws Exception {
        assertCached(OURS, BOOT, AGENT, "-jar", app.toString());
    }

    /** The recorder treats events of the boot loader in another way than others. */
    @Test
    void connectionsAreRecordedIfTheBootLoaderHasLoadedTheAgent() throws Exception {
        Path recording = dir.resolve("boot.jfr");
        String record = "-XX:StartFlightRecording:filename=" + recording;
        assertQuiet(OURS_SERVES, Jvm.java(BOOT, AGENT, record, "-Xlog:jfr*=off", "-jar", app.toString()));
        assertEquals(
                2,
                RecordingFile.readAllEvents(recording).stream()
                        .filter(event -> event.getEventType().getName().equals("io.pipedevice.Connection"))
                        .count());
    }

    /**
     * The agent's classes are on the class path. The agent has changed a class of java.net, and the JVM that makes the
     * cache runs without the agent.
     */
    @Test
    void aotCacheIsMadeOfAProgramWithSocketsToo() throws Exception {
        assertCached(OURS, AGENT, "-cp", app + ":" + Jvm.AGENT_JAR, SocketEchoProgram.class.getName());
    }

    @Test
    void aotCacheHasWhatTheArgumentFileBringsIn() throws Exception {
        assertCached(OURS, "@" + ARGUMENTS, "-cp", withPipeDevice(), ECHO);
    }

    private static void assertCached(String type, String... command) throws Exception {
        Path caches = Files.createTempDirectory(dir, "aot");
        Path cache = caches.resolve("app.aot");
        Jvm.Result trained =
                Jvm.java("-XX:AOTCacheOutput=" + cache).args(command).run();
        assertEquals(0, trained.exit(), trained::toString);
        Path loaded = caches.resolve("loaded.txt");
        String log = "-Xlog:class+load:file=" + loaded;
        // with AOTMode=on a cache that cannot be used is an error
        assertQuiet(
                OURS_SERVES,
                Jvm.java("-XX:AOTCache=" + cache, "-XX:AOTMode=on", log).args(command));
        assertTrue(Files.readString(loaded).contains(type + " source: shared objects file"));
    }

    @Test
    void agentServesAnExecutableJar() throws Exception {
        assertQuiet(OURS_SERVES, Jvm.java(AGENT, "-jar", app.toString()));
    }

    @Test
    void agentServesAJarWithAClassLoaderOfItsOwn() throws Exception {
        Path nested = ProgramJar.write(
                dir.resolve("nested.jar"),
                NestedProgram.class,
                Map.of(
                        ProgramJar.code(NestedProgram.class),
                        NestedProgram.class,
                        NestedProgram.class.getName().replace('.', '/') + "$Nested.class",
                        nestedLoader(),
                        "nested/" + ProgramJar.code(EchoProgram.class),
                        EchoProgram.class));
        assertQuiet(OURS_SERVES, Jvm.java(AGENT, "-jar", nested.toString()));
    }

    private static Class<?> nestedLoader() {
        return NestedProgram.class.getDeclaredClasses()[0];
    }

    @Test
    void agentServesAModule() throws Exception {
        // app is an automatic module, because the jar has no module name in it
        assertQuiet(OURS_SERVES, Jvm.java(AGENT, "--module-path", app.toString(), "--module", "app/" + ECHO));
    }

    @Test
    void aLogThatConnectsWhenItStartsFindsTheProvider() throws Exception {
        Path services = Files.createDirectories(dir.resolve("log/META-INF/services"));
        Files.writeString(services.resolve("java.lang.System$LoggerFinder"), ChannelLog.class.getName());
        for (Class<?> part : List.of(ChannelLog.class, ChannelLog.class.getDeclaredClasses()[0])) {
            Path file = dir.resolve("log").resolve(ProgramJar.code(part));
            Files.createDirectories(file.getParent());
            try (InputStream in = part.getClassLoader().getResourceAsStream(ProgramJar.code(part))) {
                Files.copy(in, file);
            }
        }
        String path = app + ":" + dir.resolve("log");
        assertQuiet(OURS_SERVES, Jvm.java(AGENT, "-cp", path, ECHO));
        // Now there is a line for the log: there is no driver.
        List<String> logged =
                List.of("provider " + OURS, "log with " + OURS, "log says Connection refused", "echo hello");
        assertQuiet(logged, Jvm.java(AGENT, "-Dpipedevice.driver=" + dir, "-cp", path, ECHO));
    }

    /** The JDK needs no descriptor to watch a channel. */
    @Test
    void aSelectorThatLacksDescriptorsServesWhatItHasAndTheRestLater() throws Exception {
        Path poor = ProgramJar.write(
                dir.resolve("poor.jar"),
                PoorProgram.class,
                Map.of(ProgramJar.code(PoorProgram.class), PoorProgram.class));
        Jvm.Result result = Jvm.java(AGENT, "-XX:-MaxFDLimit", "-jar", poor.toString())
                .by("sh", "-c", "ulimit -n 256; exec \"$@\"", "sh")
                .run();
        assertEquals(List.of("ready pipe", "ready connection"), result.out(), result::toString);
    }

    @Test
    void agentComesInByTheEnvironment() throws Exception {
        assertQuiet(OURS_SERVES, Jvm.java("-jar", app.toString()).environment("JAVA_TOOL_OPTIONS", AGENT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"keytool -help", "javac -version", "jshell --version", "jps -q", "jar --version"})
    void agentInTheEnvironmentDisturbsNoToolOfTheJdk(String commandLine) throws Exception {
        String[] words = commandLine.split(" ", -1);
        // jshell would create a directory in the user's home, and print that
        Files.createDirectories(dir.resolve(".java/.userPrefs"));
        String preferences = "-J-Djava.util.prefs.userRoot=" + dir;
        Jvm.Result alone = Jvm.tool(words[0], preferences, words[1]).run();
        Jvm.Result with = Jvm.tool(words[0], preferences, words[1])
                .environment("JAVA_TOOL_OPTIONS", AGENT)
                .run();
        assertEquals(alone.exit(), with.exit());
        assertEquals(alone.err(), with.err());
        if (!words[0].equals("jps")) {
            assertEquals(alone.out(), with.out());
        }
    }

    @Test
    void agentLeavesAProviderThatTheUserChose() throws Exception {
        Path probe = dir.resolve("Probe.java");
        Files.writeString(
                probe,
                "class Probe { public static void main(String[] a) {"
                        + " System.out.print(System.getProperty(\"java.nio.channels.spi.SelectorProvider\")); } }");
        String chosen = "-Djava.nio.channels.spi.SelectorProvider=mine.Own";
        assertQuiet(List.of("mine.Own"), Jvm.java(AGENT, chosen, probe.toString()));
    }

    @Test
    void agentAfterOneThatOpenedAChannelPrintsOneLine() throws Exception {
        String early = EarlyAgent.flag(dir);
        String line =
                "a channel was opened before PipeDevice started; name -javaagent:pipedevice-agent.jar before other agents"
                        + ": staying on kernel TCP";
        assertEquals(
                new Jvm.Result(0, JDK_SERVES, List.of(line)),
                Jvm.java(early, AGENT, "-jar", app.toString()).run());
        assertQuiet(OURS_SERVES, Jvm.java(AGENT, early, "-jar", app.toString()));
        assertQuiet(OURS_SERVES, Jvm.java(AGENT, early, AGENT, "-jar", app.toString()));
    }

    @Test
    void agentServesBesideTheSwitch() throws Exception {
        assertQuiet(OURS_SERVES, Jvm.java(AGENT, SWITCH, "-cp", app.toString(), ECHO));
        assertQuiet(
                OURS_SERVES,
                Jvm.java(
                        "--sun-misc-unsafe-memory-access=deny",
                        "--illegal-native-access=deny",
                        AGENT,
                        SWITCH,
                        "-cp",
                        app.toString(),
                        ECHO));
    }

    @Test
    void disabledAgentLeavesTheJdksProvider() throws Exception {
        assertQuiet(JDK_SERVES, Jvm.java(AGENT, "-Dpipedevice.enabled=false", "-jar", app.toString()));
    }

    @Test
    void disabledProviderPrintsNothing() throws Exception {
        assertQuiet(OURS_SERVES, withArguments("-Dpipedevice.enabled=false"));
    }

    @Test
    void olderJavaPrintsOneLineAndStaysOnKernelTcp() throws Exception {
        Path home = Path.of("/usr/lib/jvm/java-17-openjdk-amd64");
        assumeTrue(Files.isExecutable(home.resolve("bin/java")), "no Java 17");
        String cds = "-Xshare:auto";
        Jvm.Result alone = Jvm.of(home, cds, "-version").run();
        Jvm.Result with = Jvm.of(home, AGENT, cds, "-version").run();
        assertEquals(0, with.exit(), with::toString);
        String first = with.err().get(0);
        assertTrue(first.startsWith("PipeDevice needs Java 21 or later, and this is 17"), first);
        assertTrue(first.endsWith(": staying on kernel TCP"), first);
        assertEquals(alone.err(), with.err().subList(1, with.err().size()));
    }

    @Test
    void olderJavaRefusesACommandInOneLine() throws Exception {
        Path home = Path.of("/usr/lib/jvm/java-17-openjdk-amd64");
        assumeTrue(Files.isExecutable(home.resolve("bin/java")), "no Java 17");
        Jvm.Result result =
                Jvm.of(home, "-Xshare:auto", "-jar", Jvm.JAR.toString(), "stat").run();
        assertEquals(1, result.exit(), result::toString);
        assertEquals(1, result.err().size(), result::toString);
        assertTrue(result.err().get(0).startsWith("pipedevice: PipeDevice needs Java 21 or later, and this is 17"));
    }

    @Test
    void switchAloneOpensTheJdkWithTheJdksWarning() throws Exception {
        assertSays(
                "sun.misc.Unsafe::staticFieldBase has been called",
                OURS_SERVES,
                Jvm.java(SWITCH, "-cp", withPipeDevice(), ECHO));
    }

    @Test
    void switchWithoutUnsafeFindsAnotherWay() throws Exception {
        String deny = "--sun-misc-unsafe-memory-access=deny";
        assertSays(
                "A restricted method in java.lang.foreign",
                OURS_SERVES,
                Jvm.java(deny, SWITCH, "-cp", withPipeDevice(), ECHO));
        assertQuiet(
                OURS_SERVES,
                Jvm.java(
                        deny,
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xcheck:jni",
                        SWITCH,
                        "-cp",
                        withPipeDevice(),
                        ECHO));
    }

    @Test
    void whereAllIsForbiddenTheFailureNamesTheFlags() throws Exception {
        Jvm.Result result = Jvm.java(
                        "--sun-misc-unsafe-memory-access=deny",
                        "--illegal-native-access=deny",
                        SWITCH,
                        "-cp",
                        withPipeDevice(),
                        ECHO)
                .run();
        String failure = result.err().get(0);
        assertTrue(failure.contains("java.io.IOException: PipeDevice cannot even reach kernel TCP"), failure);
        String flags = failure.substring(failure.indexOf("--add-exports"));
        String[] words = (flags + " " + SWITCH + " -cp " + withPipeDevice() + " " + ECHO).split(" ", -1);
        assertQuiet(OURS_SERVES, Jvm.java(words));
    }

    @Test
    void argumentFileNeedsNoAgentAndPrintsNothing() throws Exception {
        assertQuiet(OURS_SERVES, withArguments());
    }

    @Test
    void nativeAccessDeniedIsOneLineAndKernelTcp() throws Exception {
        assertSays(
                "PipeDevice is off, connections stay on kernel TCP: PipeDevice may not call the C library",
                OURS_SERVES,
                Jvm.java(
                        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "--illegal-native-access=deny",
                        SWITCH,
                        "-cp",
                        withPipeDevice(),
                        ECHO));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pipedevice.enabled = yes; allowed: auto, true and false",
                "pipedevice.driver = /dev/null; allowed: a driver's directory",
                "pipedevice.max.sockets = 0; allowed: 1 to 65535"
            })
    void badValueOfAPropertyIsOneLineAndKernelTcp(String message) throws Exception {
        String property = "-D" + message.substring(0, message.indexOf(';')).replace(" ", "");
        assertSays(message, OURS_SERVES, Jvm.java(AGENT, property, "-jar", app.toString()));
    }

    private static Jvm withArguments(String... more) {
        return Jvm.java("@" + ARGUMENTS).args(more).args("-cp", withPipeDevice(), ECHO);
    }
}
