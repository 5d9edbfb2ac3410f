// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.Project;
import io.pipedevice.bench.program.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command lines of one run's programs: a place of the site, and the flags of the transport. Immutable. */
final class LegCommands {
    /** Raises the soft limit of open files, if that is allowed; the JVM uses it. */
    private static final String MORE_FILES = "[ $(ulimit -Hn) = unlimited ] || [ $(ulimit -Hn) -ge 100000 ] || "
            + "{ (ulimit -n 100000) 2>/dev/null && ulimit -n 100000; }";

    /** What PD Lib needs of a JVM; the agent does the same by itself. */
    private static final List<String> LIB_FLAGS =
            List.of("--enable-native-access=ALL-UNNAMED", "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");

    private final NetTransport transport;
    private final Site site;
    private final Path scratch;
    private final List<String> clientFlags;
    private final List<String> serverFlags;

    /** Flags of a server that takes part in the driver's work also if {@link #server} does not. */
    private final List<String> bystanderFlags;

    /** Flags of programs that use PD Lib instead of java.nio with PipeDevice. */
    private final List<String> libFlags;

    /**
     * @param javaOptions more flags for all JVMs
     * @param site where the programs run
     * @param scratch a directory for the files of the programs
     * @param driver the driver's directory; null if the programs have no driver
     * @throws IOException if there is no jar with the agent
     */
    LegCommands(NetTransport transport, Setting setting, List<String> javaOptions, Site site, Path scratch, Path driver)
            throws IOException {
        this.transport = transport;
        this.site = site;
        this.scratch = scratch;
        List<String> plain = joined(transport.flags(), javaOptions);
        List<String> flags = new ArrayList<>(plain);
        if (transport.isOnPipeDevice()) {
            flags.add("-javaagent:" + Project.userJar());
            // On a machine with one processor PipeDevice would stay off.
            flags.add("-Dpipedevice.enabled=true");
        }
        List<String> byLib = new ArrayList<>(plain);
        byLib.addAll(LIB_FLAGS);
        if (driver != null) {
            flags.add("-Dpipedevice.driver=" + driver);
            byLib.add("-Dpipedevice.driver=" + driver);
        }
        clientFlags = joined(setting.flags(), flags);
        libFlags = joined(setting.flags(), byLib);
        bystanderFlags = joined(setting.serverFlags(), flags);
        serverFlags = setting.serverHasPipeDevice() ? bystanderFlags : joined(setting.serverFlags(), plain);
    }

    private static List<String> joined(List<String> first, List<String> second) {
        List<String> all = new ArrayList<>(first);
        all.addAll(second);
        return List.copyOf(all);
    }

    List<String> server() {
        return program(true, serverFlags);
    }

    List<String> bystander() {
        return program(true, bystanderFlags);
    }

    List<String> client() {
        return program(false, clientFlags);
    }

    private List<String> program(boolean serves, List<String> flags) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", MORE_FILES + "; exec \"$@\"", "sh"));
        command.addAll(java(
                flags,
                ClassPath.ofPrograms(),
                Program.class,
                serves ? "server" : "client",
                transport.stack(),
                scratch.toString(),
                site.host()));
        return at(serves, command);
    }

    /** A program of the samples, in the server's place or the clients'. */
    List<String> sample(boolean atServer, Class<?> program, String... args) {
        return at(atServer, java(clientFlags, ClassPath.ofPrograms(), program, args));
    }

    /** A program that uses PD Lib, which needs no agent. */
    List<String> libSample(boolean atServer, Class<?> program, String... args) {
        return at(atServer, java(libFlags, ClassPath.ofLibPrograms(), program, args));
    }

    /**
     * A program with libraries of its own.
     *
     * @param environment additional variables, each as {@code NAME=value}
     * @param words after the flags of the transport: further flags, a class path, a main class and its arguments
     */
    List<String> foreign(boolean atServer, List<String> environment, List<String> words) {
        List<String> command = new ArrayList<>(List.of("env"));
        command.addAll(environment);
        command.addAll(java(clientFlags, words));
        return at(atServer, command);
    }

    private List<String> at(boolean server, List<String> command) {
        return joined(server ? site.atServer() : site.atClient(), command);
    }

    private static List<String> java(List<String> flags, String classPath, Class<?> program, String... args) {
        List<String> words = new ArrayList<>(List.of("-cp", classPath, program.getName()));
        words.addAll(List.of(args));
        return java(flags, words);
    }

    private static List<String> java(List<String> flags, List<String> words) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(words);
        return command;
    }
}
