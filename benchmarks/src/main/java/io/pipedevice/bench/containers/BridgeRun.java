// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.containers;

import io.pipedevice.bench.NetworkNamespace;
import io.pipedevice.bench.net.Figures;
import io.pipedevice.bench.net.FiguresFile;
import io.pipedevice.bench.net.MeasureArguments;
import io.pipedevice.bench.net.NetBenchmark;
import io.pipedevice.bench.net.NetOptions;
import io.pipedevice.bench.net.NetTransport;
import io.pipedevice.bench.net.Row;
import io.pipedevice.bench.net.RunFacts;
import io.pipedevice.bench.net.SparkPrograms;
import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What commands that measure between two namespaces of one bridge have in common. The files of a report have the
 * command's name. Used by one thread.
 */
public final class BridgeRun {
    /** A report of figures. */
    public interface Report {
        /**
         * The report as text.
         *
         * @param facts of the machine, name and value
         * @return lines
         */
        String text(Map<String, String> facts);

        /**
         * The report as a page with plots.
         *
         * @param facts of the machine, name and value
         * @return the page
         */
        String html(Map<String, String> facts);

        /**
         * A picture of the main figures, for a page elsewhere.
         *
         * @return SVG; empty if there is none
         */
        default String picture() {
            return "";
        }
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private MeasureArguments arguments;

    @Option(
            names = "--add",
            description = "Add to the figures of earlier calls, of which ${COMMAND-NAME}.csv in the output directory"
                    + " has the figures: to measure rows, transports and runs one after the other. All of them must have"
                    + " the same settings.")
    private boolean add;

    /** Creates the arguments; the command line does. */
    public BridgeRun() {}

    /**
     * Whether measurements are short.
     *
     * @return whether the command line asks for that
     */
    public boolean isQuick() {
        return arguments.isQuick();
    }

    /**
     * What the command line asks for.
     *
     * @param transports to measure
     * @param all rows of the command
     * @param unlessNamed the rows if the command line names none
     * @param idle connections whose memory is measured
     * @return the options
     * @throws ParameterException if an argument is out of range; the message names it
     */
    public NetOptions options(
            List<? extends NetTransport> transports, Collection<Row> all, Collection<Row> unlessNamed, int idle) {
        CommandLine command = spec.commandLine();
        arguments.check(command);
        return new NetOptions(
                transports,
                arguments.rows(command, all, unlessNamed),
                arguments.runs(),
                arguments.warmUpMillis(),
                arguments.measureMillis(),
                0,
                0,
                0,
                idle,
                0,
                false,
                false,
                arguments.javaOptions());
    }

    /**
     * Measures in namespaces of its own, and writes the report.
     *
     * @param options of the benchmark
     * @param transports whose figures earlier calls may have written
     * @param report of figures
     * @return the exit code
     * @throws IOException if a file cannot be read or written
     * @throws InterruptedException if this thread is interrupted
     */
    public int run(NetOptions options, List<? extends NetTransport> transports, Function<Figures, Report> report)
            throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        if (ProcessFacts.effectiveUid() != 0) {
            err.println("bench " + spec.name() + " needs root, because it makes network namespaces and a bridge");
            return CommandLine.ExitCode.SOFTWARE;
        }
        if (!NetworkNamespace.isInside()) {
            // No way leads to a repository from inside.
            SparkPrograms.buildFor(options.rows(), err);
            OptionalInt exit = NetworkNamespace.run(
                    spec.root().commandLine().getParseResult().originalArgs(), List.of("--mount"));
            if (exit.isEmpty()) {
                err.println("bench " + spec.name() + " cannot make a network namespace here: that needs CAP_SYS_ADMIN,"
                        + " CAP_NET_ADMIN, unshare(1) and ip(8)");
            }
            return exit.orElse(CommandLine.ExitCode.SOFTWARE);
        }
        NetworkNamespace.enter();
        Path directory = arguments.directory();
        FiguresFile file = new FiguresFile(directory.resolve(spec.name() + ".csv"), options.settings());
        Figures figures = new Figures();
        try {
            if (add) {
                file.loadIfExists(figures, transports);
            }
        } catch (IOException e) {
            err.println("--add: " + e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
        Map<String, String> facts = RunFacts.machine();
        facts.put("network", Bridge.describe());
        new NetBenchmark(options, figures, err).run();
        facts.putAll(RunFacts.measured(options, figures));
        facts.put("bytes", bytes(figures));
        file.save(figures);
        write(report.apply(figures), facts, directory);
        return figures.hasFailures() ? 1 : 0;
    }

    private void write(Report report, Map<String, String> facts, Path directory) throws IOException {
        String text = report.text(facts);
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
        Files.writeString(directory.resolve(spec.name() + ".txt"), text);
        Files.writeString(directory.resolve(spec.name() + ".html"), report.html(facts));
        String picture = report.picture();
        if (!picture.isEmpty()) {
            Files.writeString(directory.resolve(spec.name() + ".svg"), picture);
        }
        spec.commandLine().getErr().println("the report is in " + directory);
    }

    /** How the data are checked; a wrong byte makes a row fail. */
    private static String bytes(Figures figures) {
        String checked = "the receiver of a stream checks a word of each piece, and every byte for 50 ms after the"
                + " measurement; all bytes sent must have arrived";
        return figures.moved() == 0
                ? checked
                : String.format(Locale.ROOT, "%s: %.1f GB in all calls", checked, figures.moved() / 1e9);
    }
}
