// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.function.Executable;

/**
 * Runs the programs of one test: prints their output if it fails, and always ends them. PipeDevice may not warn in any
 * test, even when programs are killed or stopped. One thread.
 *
 * <p>Programs with PipeDevice need nothing else. With the property compat.driver they share one driver, which is
 * started for the first of them and runs until all tests are done.
 */
final class Stage implements BeforeEachCallback, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(Stage.class);
    /** What programs load. */
    static final Path JAR = Path.of(System.getProperty("pipedevice.agent.jar"));

    static final boolean BY_DRIVER = Boolean.getBoolean("compat.driver");

    /**
     * A small memory shows leaks. But each of 50 connections of Reactor Netty may hold 128 buffers of 64 KB, which
     * rings fill. Without performance data, a killed JVM leaves no file behind. A program of a short run ends before
     * the JVM's last compiler and a collector with many threads are worth their own time.
     */
    static final List<String> OPTIONS = Stream.concat(
                    Stream.of("-Xmx256m", "-XX:MaxDirectMemorySize=512m", "-XX:-UsePerfData"),
                    Sizes.MEASURED ? Stream.of() : Stream.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"))
            .toList();

    private static final Set<Program> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        // For tests that are interrupted from outside.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(Program::destroy), "ends programs"));
    }

    private final List<Program> programs = new ArrayList<>();
    private ExtensionContext context;
    private boolean defaults;

    @Override
    public void beforeEach(ExtensionContext test) {
        assumeTrue(Files.exists(JAR), () -> "there is no " + JAR.normalize() + ": mvn package makes it");
        context = test;
    }

    @Override
    public void afterEach(ExtensionContext test) {
        if (test.getExecutionException().isPresent()) {
            // Before they are ended, because this shows which of them has ended by itself.
            programs.forEach(program -> System.err.println(program.log()));
        }
        List<Executable> last = new ArrayList<>();
        programs.forEach(program -> last.add(() -> close(program)));
        programs.forEach(program -> last.add(program::checkPipeDeviceIsQuiet));
        last.add(programs::clear);
        // If one of them throws, the others run too.
        assertAll(last);
    }

    /** A program that could not be closed stays in the list. */
    static void close(Program program) {
        program.close();
        ALIVE.remove(program);
    }

    Program start(boolean pipeDevice, JavaCommand command) throws IOException {
        List<String> options = new ArrayList<>(OPTIONS);
        if (pipeDevice) {
            options.addAll(agent());
        }
        return keep(Program.start(
                command.name() + (pipeDevice ? " with PipeDevice" : ""), command.line(options), command.environment()));
    }

    /** From now on programs have no options of PipeDevice, as for most users. */
    void leaveDefaults() {
        defaults = true;
    }

    /** The options that add PipeDevice to a JVM. */
    List<String> agent() {
        List<String> options = new ArrayList<>();
        options.add("-javaagent:" + JAR.toAbsolutePath());
        if (!defaults) {
            // If all programs start at once on two processors, the first handshake may take long.
            options.add("-Dpipedevice.handshake.millis=10000");
        }
        if (BY_DRIVER) {
            options.add("-Dpipedevice.driver=" + driver().directory());
        }
        return options;
    }

    /** Starts a program that is not Java. */
    Program start(String... command) throws IOException {
        return keep(Program.start(command[0], List.of(command)));
    }

    private Program keep(Program program) {
        programs.add(program);
        return endWithTests(program);
    }

    /** Kills a program, until it is closed, if the tests are interrupted from outside. */
    static Program endWithTests(Program program) {
        ALIVE.add(program);
        return program;
    }

    /** JUnit closes it with the store in which it is kept. */
    private DriverProgram driver() {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(DriverProgram.class, key -> startDriver(), DriverProgram.class);
    }

    private static DriverProgram startDriver() {
        try {
            return new DriverProgram("--path", "device");
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
