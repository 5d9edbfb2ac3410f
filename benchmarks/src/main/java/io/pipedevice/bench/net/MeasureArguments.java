// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The arguments that all commands with rows and runs have. Used by one thread. */
public final class MeasureArguments {
    @Option(names = "--quick", description = "One short run, in 5 minutes or less: see below.")
    private boolean quick;

    @Option(names = "--runs", paramLabel = "N", description = "Runs of each transport (default: 5, quick 1).")
    private Integer runs;

    @Option(names = "--seconds", paramLabel = "S", description = "Length of each measurement (default: 2, quick 0.5).")
    private Double seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            description = "Length of the warm-up before each measurement (default: 2, quick 1).")
    private Double warmUp;

    @Option(
            names = "--rows",
            split = ",",
            paramLabel = "ROW",
            description = "Rows to measure: names as below, or their beginnings (stream, ping-pong; default: all).")
    private List<String> rows = List.of();

    @Option(names = "--java-option", paramLabel = "FLAG", description = "A flag for all JVMs; may be repeated.")
    private List<String> javaOptions = List.of();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Directory of the report (default: benchmarks/target/results of the project).")
    private Path output;

    /** Creates the arguments; the command line does. */
    public MeasureArguments() {}

    /**
     * Checks the numbers.
     *
     * @param command for the exception
     * @throws ParameterException if one is out of range; the message names it
     */
    public void check(CommandLine command) {
        double measure = measureMillis() / 1e3;
        if (runs() < 1 || runs() > 1000 || !(measure >= 0.1 && measure <= 60)) {
            throw new ParameterException(command, "--runs must be from 1 to 1000, --seconds from 0.1 to 60");
        }
        if (warmUp != null && !(warmUp >= 0 && warmUp <= 60)) {
            throw new ParameterException(command, "--warm-up must be from 0 to 60");
        }
    }

    /**
     * Whether measurements are short where the command line asks for nothing else.
     *
     * @return whether they are
     */
    public boolean isQuick() {
        return quick;
    }

    /**
     * The number of runs.
     *
     * @return at least one, after {@link #check}
     */
    public int runs() {
        return runs == null ? quick ? 1 : 5 : runs;
    }

    /**
     * The length of a measurement.
     *
     * @return in milliseconds
     */
    public long measureMillis() {
        return (long) ((seconds == null ? quick ? 0.5 : 2 : seconds) * 1000);
    }

    /**
     * The length of the warm-up before each measurement.
     *
     * @return in milliseconds
     */
    public long warmUpMillis() {
        return (long) ((warmUp == null ? quick ? 1 : 2 : warmUp) * 1000);
    }

    /**
     * The rows to measure.
     *
     * @param command for the exception
     * @param all rows of the command
     * @return some of them, or all
     * @throws ParameterException if a word names none
     */
    public List<Row> rows(CommandLine command, Collection<Row> all) {
        return rows(command, all, all);
    }

    /**
     * The rows to measure.
     *
     * @param command for the exception
     * @param all rows of the command
     * @param unlessNamed the rows if the command line names none
     * @return some of them, or all
     * @throws ParameterException if a word names none
     */
    public List<Row> rows(CommandLine command, Collection<Row> all, Collection<Row> unlessNamed) {
        Set<Row> chosen = new LinkedHashSet<>(rows.isEmpty() ? unlessNamed : List.of());
        try {
            rows.forEach(word -> chosen.addAll(Row.named(word, all)));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, "--rows: " + e.getMessage(), e);
        }
        return new ArrayList<>(chosen);
    }

    /**
     * More flags for all JVMs.
     *
     * @return flags
     */
    public List<String> javaOptions() {
        return javaOptions;
    }

    /**
     * The directory of the report.
     *
     * @return a directory, which exists
     * @throws IOException if it cannot be created
     */
    public Path directory() throws IOException {
        return Files.createDirectories(output == null ? Project.root().resolve("benchmarks/target/results") : output);
    }
}
