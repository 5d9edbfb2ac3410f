// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.program.EchoProgram;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script's run, in a copy of the project that looks built, under a path that has to be quoted. */
@Timeout(480)
class RunIT {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String CLASSES =
            Path.of("target/test-classes").toAbsolutePath().toString();

    @TempDir
    private Path dir;

    private Path script;

    @BeforeEach
    void copyProject() throws IOException {
        Path root = Files.createDirectories(dir.resolve("it's \"here\" now"));
        for (String module : List.of(
                "pd-native",
                "pd-device",
                "pd-device-model",
                "pd-active",
                "pd-nio-provider",
                "pd-tools",
                "samples",
                "benchmarks")) {
            Files.createDirectories(root.resolve(module).resolve("src/main"));
            Files.createFile(root.resolve(module).resolve("pom.xml"));
        }
        Files.createFile(root.resolve("pom.xml"));
        script = Files.copy(Path.of("../pipedevice"), root.resolve("pipedevice"));
        copy(Jvm.JAR, root.resolve("pd-tools/target/pipedevice.jar"));
        copy(Jvm.AGENT_JAR, root.resolve("pd-nio-provider/target/pipedevice-agent.jar"));
        Path lib = Files.createDirectories(root.resolve("benchmarks/target/lib"));
        Files.createFile(lib.resolve("benchmarks-0.jar"));
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(from, to);
    }

    private Process start(String toolOptions, String... args) throws IOException {
        return builder(toolOptions, args).start();
    }

    private ProcessBuilder builder(String toolOptions, String... args) {
        List<String> command = new ArrayList<>(List.of("bash", script.toString(), "run"));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("JAVA_TOOL_OPTIONS", toolOptions);
        return builder.redirectInput(Path.of("/dev/null").toFile());
    }

    private static List<String> end(Process process) throws IOException, InterruptedException {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(30, TimeUnit.SECONDS), out);
        return out.lines().filter(line -> !line.startsWith("Picked up ")).toList();
    }

    @Test
    void programTakesTheProcessOver() throws Exception {
        Process process = start("", "--", "bash", "-c", "echo $$; exit 7");
        assertEquals(List.of(Long.toString(process.pid())), end(process));
        assertEquals(7, process.exitValue());
    }

    @Test
    void serviceWithoutAHomeIsServedToo() throws Exception {
        ProcessBuilder builder = builder("", "--", "bash", "-c", "echo ${HOME-none}");
        builder.environment().remove("HOME");
        assertEquals(List.of("none"), end(builder.start()));
    }

    @Test
    void programIsServedByPipeDevice() throws Exception {
        Process process = start("", "--", JAVA, "-cp", CLASSES, EchoProgram.class.getName());
        assertEquals(List.of("provider io.pipedevice.nio.PipeDeviceSelectorProvider", "echo hello"), end(process));
    }

    @Test
    void optionsThatWereThereStay() throws Exception {
        List<String> seen = properties("-Dmine='a b'", "--");
        assertTrue(seen.contains("mine = a b"), seen::toString);
        assertTrue(seen.stream().noneMatch(line -> line.startsWith("pipedevice.driver")), seen::toString);
    }

    /**
     * Another agent may open a channel first, which would keep PipeDevice out. Of two values of a property the last one
     * counts.
     */
    @Test
    void theAgentIsTheFirstAndTheDriverTheLastOption() throws Exception {
        Process process = builder("-javaagent:other.jar -Dpipedevice.driver=/old", "--driver", "/new", "--", "env")
                .start();
        List<String> seen = end(process).stream()
                .filter(line -> line.startsWith("JAVA_TOOL_OPTIONS="))
                .toList();
        assertEquals(1, seen.size());
        String options = seen.get(0);
        int agent = options.indexOf("pipedevice-agent.jar");
        int other = options.indexOf("other.jar");
        assertTrue(agent > 0 && agent < other, options);
        assertTrue(options.endsWith("-Dpipedevice.driver=\"/new\""), options);
    }

    @Test
    void anEmptyDirectoryIsNoDriver() throws Exception {
        for (String[] driver : new String[][] {{"--driver", ""}, {"--driver="}}) {
            List<String> args = new ArrayList<>(List.of(driver));
            args.addAll(List.of("--", "echo", "ran"));
            Process process = start("", args.toArray(String[]::new));
            assertEquals(List.of("pipedevice: run --driver: the directory is empty"), end(process));
            assertEquals(1, process.exitValue());
        }
    }

    @Test
    void driverIsNamedByItsWholePath() throws Exception {
        String driver = "pipedevice.driver = " + Path.of("some \"driver\"").toAbsolutePath();
        for (String[] options : new String[][] {{"--driver", "some \"driver\""}, {"--driver=some \"driver\""}}) {
            List<String> seen = properties("", options);
            assertTrue(seen.contains(driver), seen::toString);
        }
    }

    /**
     * The cache has PipeDevice's classes too, because its jar is on the boot class path. A JVM crashes if such a jar is
     * overwritten, so it is a copy.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theSecondRunUsesTheCacheThatTheFirstHasMade(boolean asJar) throws Exception {
        Path program = programJar();
        List<String> first = runCached(asJar, program, "-Xlog:class+load");
        assertTrue(first.contains("echo hello"));
        Path made = onlyCache();
        List<String> second = runCached(asJar, program, "-Xlog:class+load");
        assertTrue(second.contains("echo hello") && isCached(second));
        assertEquals(made, onlyCache());
        Path copy = Path.of(made.toString().replaceAll("aot$", "jar"));
        assertEquals(-1, Files.mismatch(Jvm.AGENT_JAR, copy));
        assertEquals(1, Files.getAttribute(copy, "unix:nlink"));
    }

    private static boolean isCached(List<String> loaded) {
        return loaded.stream().anyMatch(line -> line.contains("PdSocketChannel ") && line.contains("objects file"));
    }

    @Test
    void aChangedProgramGetsANewCacheAndTheOldOneGoes() throws Exception {
        Path program = programJar();
        runCached(program);
        Path before = onlyCache();
        Files.setLastModifiedTime(program, FileTime.fromMillis(1_000_000));
        assertEquals(2, runCached(program).size());
        assertNotEquals(before, onlyCache());
    }

    @Test
    void aProgramWithoutACacheRunsAndTheReasonIsPrinted() throws Exception {
        List<String> seen =
                end(start("", "--cache", cache().toString(), JAVA, "-cp", CLASSES, EchoProgram.class.getName()));
        assertEquals(
                "pipedevice: run --cache: no cache, because the class path has a directory: " + CLASSES, seen.get(0));
        assertEquals("echo hello", seen.get(2));
        try (Stream<Path> made = Files.list(cache())) {
            assertEquals(0, made.count());
        }
    }

    /** Some agents, such as OpenTelemetry's, make the JVM of JDK 25 fail at this. */
    @Test
    void aCacheThatTheJvmCannotMakeIsTriedOnce() throws Exception {
        Path program = programJar();
        runCached(program);
        Path made = onlyCache();
        Path left = Files.move(made, made.resolveSibling(made.getFileName() + ".config"));
        List<String> seen = end(
                start("", "--cache", cache().toString(), JAVA, "-cp", program.toString(), EchoProgram.class.getName()));
        String said = "pipedevice: run --cache: no cache, because the JVM has not completed one; rm '";
        assertEquals(said + left + "' makes the next run try again", seen.get(0));
        assertEquals("echo hello", seen.get(2));
        assertTrue(Files.exists(left) && !Files.exists(made));
    }

    @Test
    void aCacheIsOfJavaAndOfNothingElse() throws Exception {
        String dir = "--cache=" + cache();
        String run = "pipedevice: run --cache: ";
        assertEquals(
                List.of(run + "the command has to be java, and is echo"), end(start("", dir, "--", "echo", "java")));
        assertEquals(
                List.of(run + "the command has an archive of its own, -XX:AOTCache=x"),
                end(start("", dir, JAVA, "-XX:AOTCache=x", "Main")));
        assertEquals(List.of(run + "the directory is empty"), end(start("", "--cache", "", JAVA, "-version")));
    }

    private Path cache() {
        return dir.resolve("some caches");
    }

    private Path onlyCache() throws IOException {
        try (Stream<Path> made = Files.list(cache())) {
            List<Path> all = made.sorted().toList();
            assertEquals(2, all.size(), all::toString);
            String name = all.get(0).toString();
            assertTrue(name.endsWith(".aot"), name);
            assertEquals(name.replaceAll("aot$", "jar"), all.get(1).toString());
            return all.get(0);
        }
    }

    private Path programJar() throws IOException {
        return ProgramJar.write(
                dir.resolve("my program.jar"),
                EchoProgram.class,
                Map.of(ProgramJar.code(EchoProgram.class), EchoProgram.class));
    }

    /** What the program has printed. The JVM says on the error stream that it makes a cache. */
    private List<String> runCached(Path program, String... options) throws Exception {
        return runCached(false, program, options);
    }

    private List<String> runCached(boolean asJar, Path program, String... options) throws Exception {
        List<String> args = new ArrayList<>(List.of("--cache", cache().toString(), "--", JAVA));
        args.addAll(List.of(options));
        args.addAll(
                asJar
                        ? List.of("-jar", program.toString())
                        : List.of("-cp", program.toString(), EchoProgram.class.getName()));
        return end(builder("", args.toArray(String[]::new))
                .redirectErrorStream(false)
                .redirectError(Redirect.DISCARD)
                .start());
    }

    /** The system properties that the JVM prints. */
    private List<String> properties(String toolOptions, String... options) throws Exception {
        List<String> args = new ArrayList<>(List.of(options));
        args.addAll(List.of(JAVA, "-XshowSettings:properties", "-version"));
        return end(start(toolOptions, args.toArray(String[]::new))).stream()
                .map(String::strip)
                .toList();
    }
}
