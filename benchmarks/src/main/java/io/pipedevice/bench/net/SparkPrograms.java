// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.Project;
import io.pipedevice.bench.WorkerProcess;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The programs of Spark, which are a module of the compatibility tests with a class path of its own. Maven builds it
 * when a row needs it, and fetches the libraries, which are more than those of all other programs together.
 */
public final class SparkPrograms {
    private static final String PROGRAMS = "compat-tests/programs";
    private static final String MODULE = PROGRAMS + "/spark-cluster";
    private static final long BUILD_TIMEOUT_MIN = 10;
    private static final String ERROR = "[ERROR] ";
    private static final int LONGEST_REASON = 250;

    private final Path root;

    SparkPrograms(Path root) {
        this.root = root;
    }

    /**
     * Builds the programs if one of the rows needs them, and they have not been built from these sources. If that
     * fails, those rows are not available, for the reason that is in a file then.
     *
     * @param rows to measure
     * @param progress where a line goes if there is something to build
     * @throws IOException if the reason cannot be written
     * @throws InterruptedException if this thread is interrupted
     */
    public static void buildFor(Collection<Row> rows, PrintWriter progress) throws IOException, InterruptedException {
        SparkPrograms programs = new SparkPrograms(Project.root());
        if (rows.stream().anyMatch(Row::isSpark) && programs.hasSources() && !programs.isBuilt()) {
            progress.println("building " + MODULE + ", whose libraries Maven fetches if they are not there yet");
            progress.flush();
            programs.build();
        }
    }

    /** Their class path. */
    static String classPath() throws UnavailableException {
        return new SparkPrograms(Project.root()).builtClassPath();
    }

    String builtClassPath() throws UnavailableException {
        if (!hasSources()) {
            throw new UnavailableException("not available: " + MODULE + " is not there");
        }
        try {
            if (!isBuilt()) {
                throw new UnavailableException("not available: Spark and its programs could not be built: " + reason());
            }
            return String.join(
                    File.pathSeparator,
                    root.resolve(PROGRAMS + "/common/target/classes").toString(),
                    root.resolve(MODULE + "/target/classes").toString(),
                    Files.readString(dependencies()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean hasSources() {
        return Files.isRegularFile(root.resolve(MODULE).resolve("pom.xml"));
    }

    /** Whether they are newer than their sources, and their libraries are there. */
    private boolean isBuilt() throws IOException {
        if (!Files.isRegularFile(dependencies())) {
            return false;
        }
        FileTime built = Files.getLastModifiedTime(dependencies());
        for (String sources :
                List.of("pom.xml", "common/pom.xml", "common/src", "spark-cluster/pom.xml", "spark-cluster/src")) {
            try (Stream<Path> files = Files.walk(root.resolve(PROGRAMS).resolve(sources))) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    if (Files.getLastModifiedTime(file).compareTo(built) > 0) {
                        return false;
                    }
                }
            }
        }
        return Stream.of(Files.readString(dependencies()).split(File.pathSeparator, -1))
                .allMatch(jar -> Files.isRegularFile(Path.of(jar)));
    }

    /** The libraries; the time of this file is that of the build. */
    private Path dependencies() {
        return root.resolve(MODULE).resolve("target/class-path");
    }

    private Path log() {
        return root.resolve(MODULE).resolve("target/build.log");
    }

    private void build() throws IOException, InterruptedException {
        Files.createDirectories(log().getParent());
        ProcessBuilder builder = new ProcessBuilder(
                        "mvn",
                        "-B",
                        "-ntp",
                        "-q",
                        "-Dstyle.color=never",
                        "-Pcompat",
                        "-Dmaven.test.skip=true",
                        "-pl",
                        MODULE,
                        "-am",
                        "process-classes")
                .directory(root.toAbsolutePath().toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(log().toFile());
        WorkerProcess.removeJvmVariables(builder);
        builder.environment().put("JAVA25_HOME", System.getProperty("java.home"));
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            Files.writeString(log(), ERROR + e.getMessage() + System.lineSeparator());
            return;
        }
        try {
            if (!process.waitFor(BUILD_TIMEOUT_MIN, TimeUnit.MINUTES)) {
                Files.writeString(log(), ERROR + "Maven took more than " + BUILD_TIMEOUT_MIN + " minutes");
            } else if (process.exitValue() == 0) {
                // Maven does not write the file again if the libraries are the same.
                Files.setLastModifiedTime(dependencies(), FileTime.from(Instant.now()));
            }
        } finally {
            process.destroyForcibly();
        }
    }

    /** The first error of the build, in one line. */
    private String reason() throws IOException {
        if (!Files.isRegularFile(log())) {
            return "there has been no build";
        }
        try (Stream<String> lines = Files.lines(log(), StandardCharsets.ISO_8859_1)) {
            String first = lines.filter(line -> line.startsWith(ERROR))
                    .map(line -> line.substring(ERROR.length()).strip())
                    .findFirst()
                    .orElse("see " + log());
            return first.length() > LONGEST_REASON ? first.substring(0, LONGEST_REASON) + "..." : first;
        }
    }
}
