// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.bench.Project;
import io.pipedevice.bench.net.RunFacts;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.lib.PdOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures active functions at all places, beside requests over kernel TCP. */
@Command(
        name = "functions",
        description = "Measure active functions, a hash table and a B+tree, at the client, the device and the host,"
                + " beside requests to the owner over kernel TCP.",
        footer = {
            "",
            "The report goes to standard output, and to functions.txt and functions.html in",
            "the output directory; functions.csv has the figures of each run.",
            "Parts: load (one and 32 outstanding calls, and a rate that rises), cost",
            "(operations and bytes of a call), tenants (128 functions at once), and shift",
            "(a hog takes the processor of the device or the host; needs taskset, and root",
            "for the priority).",
            "Figures of NAAM are beside those that were measured."
        })
public final class FunctionsCommand implements Callable<Integer> {
    private static final double QUICK_SECONDS = 0.2;
    private static final double SECONDS = 1;
    private static final long QUICK_KEYS = 100_000;
    private static final long MOST_KEYS = 1_000_000;
    private static final int SPIN_MICROS = 50;

    /** What can be measured. */
    enum Part {
        LOAD,
        COST,
        TENANTS,
        SHIFT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "Short measurements of 100,000 keys, in two minutes or less.")
    private boolean quick;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of each measurement (default: 1, quick 0.2); the warm-up takes as long.")
    private Double seconds;

    @Option(
            names = "--keys",
            paramLabel = "N",
            description = "Keys of the table; the tree has ten times as many (default: 1000000, quick 100000).")
    private Long keys;

    @Option(
            names = "--applications",
            split = ",",
            paramLabel = "NAME",
            description = "What is called: ${COMPLETION-CANDIDATES} (default: all).")
    private List<Application> applications = List.of(Application.values());

    @Option(
            names = "--places",
            split = ",",
            paramLabel = "NAME",
            description = "Where it runs: ${COMPLETION-CANDIDATES} (default: all).")
    private List<FunctionPlace> places = List.of(FunctionPlace.values());

    @Option(
            names = "--parts",
            split = ",",
            paramLabel = "NAME",
            description = "What is measured: ${COMPLETION-CANDIDATES} (default: all).")
    private List<Part> parts = List.of(Part.values());

    @Option(
            names = "--add",
            description = "Add to the figures of earlier calls, which functions.csv in the output directory has.")
    private boolean add;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Directory of the report (default: benchmarks/target/results of the project).")
    private Path output;

    /** Creates the command; picocli does. */
    public FunctionsCommand() {}

    @Override
    public Integer call() throws IOException {
        double length = seconds != null ? seconds : quick ? QUICK_SECONDS : SECONDS;
        long count = keys != null ? keys : quick ? QUICK_KEYS : 10 * QUICK_KEYS;
        if (!(length >= 0.01 && length <= 60)) {
            throw new ParameterException(spec.commandLine(), "--seconds must be 0.01 to 60: " + length);
        }
        if (count < 1000 || count > MOST_KEYS) {
            throw new ParameterException(spec.commandLine(), "--keys must be 1000 to 1000000: " + count);
        }
        Path directory = output != null ? output : Project.root().resolve("benchmarks/target/results");
        Files.createDirectories(directory);
        Path file = directory.resolve("functions.csv");
        FunctionFigures figures = new FunctionFigures();
        if (add && Files.exists(file)) {
            figures.load(file);
        }
        Map<String, String> facts = RunFacts.machine();
        System.setProperty(PdOptions.SPIN_PROPERTY, Integer.toString(SPIN_MICROS));
        for (Part part : parts) {
            measure(part, figures, length, count);
        }
        facts.put("measured", length + " s each after as long a warm-up, runs: " + figures.runs());
        facts.put(
                "keys",
                "table " + count + ", 8 bytes with values of 64; tree " + Application.TREE_GET.keys(count)
                        + ", 8 bytes with values of 8");
        facts.put(
                "spinning",
                SPIN_MICROS + " us before the client and the driver sleep, 100 before the owner does;"
                        + " for tenants and shift the driver does not sleep");
        figures.save(file);
        FunctionReport report = new FunctionReport(figures);
        String text = report.text(facts);
        Files.writeString(directory.resolve("functions.txt"), text);
        Files.writeString(directory.resolve("functions.html"), report.html(facts));
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
        return 0;
    }

    private void measure(Part part, FunctionFigures figures, double length, long count) throws IOException {
        switch (part) {
            case LOAD -> load(figures, length, count);
            case COST -> {
                for (Application application : applications) {
                    CostPart.measure(application, application.keys(count), figures);
                }
            }
            case TENANTS -> {
                TenantPart tenants = new TenantPart(figures, length);
                for (FunctionPlace place : places) {
                    if (place != FunctionPlace.TCP) {
                        print("tenants, " + place);
                        tenants.measure(place);
                    }
                }
            }
            case SHIFT -> {
                ShiftPart shift = new ShiftPart(figures, Math.max(1, length), count);
                for (FunctionPlace slowed : ShiftPart.SLOWED) {
                    print("shift, " + slowed);
                    shift.measure(slowed);
                }
            }
        }
    }

    private void load(FunctionFigures figures, double length, long count) throws IOException {
        LoadPart load = new LoadPart(figures, length);
        for (Application application : applications) {
            try (FunctionSite site = FunctionSite.start(
                    application, application.keys(count), 1, DataPath.DEVICE, FunctionSite.Idle.SLEEPS)) {
                for (FunctionPlace place : places) {
                    print(application + ", " + place);
                    try (Port port = site.port(place, FunctionSite.SLOTS)) {
                        load.measure(application, place, port, application.workload(application.keys(count)));
                    }
                }
            }
        }
    }

    private void print(String what) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(what);
        err.flush();
    }
}
