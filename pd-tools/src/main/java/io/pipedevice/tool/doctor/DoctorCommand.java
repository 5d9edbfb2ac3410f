// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import io.pipedevice.tool.doctor.Examination.Condition;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reports which connections of a program are accelerated, why the others are not, and what helps. */
@Command(
        name = "doctor",
        description = "Show which connections of a program are accelerated, why others are not, and what helps.",
        exitCodeList = {
            "3:PipeDevice works in the program, but there is a problem, or there are no connections",
            "4:PipeDevice does not work in the program"
        },
        footer = {
            "",
            "With a process number: inspects a running JVM from outside.",
            "With a command: runs it with PipeDevice, and prints the findings on standard",
            "error when the command has ended, also by Ctrl-C.",
            "Each finding is a line: ok, note or problem, its code, a text with the remedy.",
            "",
            "Use: ./pipedevice doctor 12345",
            "     ./pipedevice doctor -- java -jar app.jar"
        })
public final class DoctorCommand implements Callable<Integer> {
    private static final int PARTLY = 3;
    private static final int OFF = 4;

    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "PID|COMMAND",
            description = "A process number, or after -- a program and its arguments.")
    private List<String> words;

    /** Creates the command; picocli does. */
    public DoctorCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!words.stream().allMatch(word -> word.matches("[0-9]{1,9}"))) {
            return run();
        }
        if (words.size() > 1) {
            throw new ParameterException(
                    spec.commandLine(), "one process at a time; run the doctor once for each of " + words);
        }
        return examine(Integer.parseInt(words.get(0)));
    }

    private int examine(int pid) {
        JvmFacts jvm = Inspection.of(pid, "the doctor");
        PrintWriter out = spec.commandLine().getOut();
        Condition condition = print(out, List.of(jvm));
        return exitCode(condition);
    }

    private int run() throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        try (ProgramRun run = new ProgramRun(words, agent())) {
            int exit = run.run();
            err.println(Finding.note("exit-code", "the program ended with " + exit));
            List<String> refusals = run.refusals();
            refusals.forEach(why -> err.println(Finding.problem("refused", why)));
            if (run.jvms().isEmpty() && refusals.isEmpty()) {
                err.println(Finding.problem("no-jvm", "no JVM was seen; name a command that starts java"));
            }
            Condition condition = print(err, run.jvms());
            return exitCode(run.jvms().isEmpty() ? Condition.OFF : condition);
        }
    }

    private static int exitCode(Condition condition) {
        return switch (condition) {
            case ACCELERATED -> CommandLine.ExitCode.OK;
            case PARTLY -> PARTLY;
            case OFF -> OFF;
        };
    }

    /** Prints all findings, and returns the worst condition. */
    private static Condition print(PrintWriter to, Collection<JvmFacts> jvms) {
        Condition worst = Condition.ACCELERATED;
        List<Finding> findings = new ArrayList<>();
        boolean someHaveChannels = jvms.stream().anyMatch(jvm -> jvm.stat() != null);
        for (JvmFacts jvm : jvms) {
            Examination.Result result = Examination.of(jvm, someHaveChannels);
            findings.addAll(result.findings());
            findings.addAll(Machine.findings(jvm));
            worst = result.condition().compareTo(worst) > 0 ? result.condition() : worst;
        }
        findings.addAll(Machine.findings(
                jvms.stream().map(NamedDriver::of).filter(Objects::nonNull).anyMatch(NamedDriver::runs)));
        findings.forEach(to::println);
        to.flush();
        return worst;
    }

    /** The agent's jar: the one that the script names, or the jar of this class. */
    private static Path agent() throws IOException {
        String named = System.getProperty("pipedevice.jar");
        try {
            Path jar = named == null
                    ? Path.of(DoctorCommand.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    : Path.of(named);
            if (Files.isRegularFile(jar)) {
                return jar.toAbsolutePath();
            }
            throw new IOException("the agent's jar is not at " + jar);
        } catch (URISyntaxException e) {
            throw new IOException("the agent's jar cannot be found", e);
        }
    }
}
