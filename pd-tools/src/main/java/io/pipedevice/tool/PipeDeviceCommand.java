// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import io.pipedevice.tool.bpf.BpfCommand;
import io.pipedevice.tool.doctor.DoctorCommand;
import io.pipedevice.tool.kube.KubeCommand;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line: {@code ./pipedevice COMMAND}.
 *
 * <p>Commands of other modules are {@link CommandModule} services. The exit code is 0 if the command succeeded, 1 if it
 * failed, and 2 if the command line was invalid. A failure is one line on standard error; its stack trace follows only
 * with {@code --verbose}. Every command has {@code --help} and {@code --version}.
 */
@Command(
        name = "pipedevice",
        description = "Moves java.nio connections between JVMs of one host from kernel TCP to shared memory.",
        subcommands = {
            AccountsCommand.class,
            BpfCommand.class,
            CompletionCommand.class,
            DevicesCommand.class,
            DoctorCommand.class,
            DriverCommand.class,
            KubeCommand.class,
            PolicyCommand.class,
            RunCommand.class,
            StatCommand.class
        })
public final class PipeDeviceCommand implements Callable<Integer> {
    private static final Map<String, String> EXIT_CODES = exitCodes();

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-v", "--verbose"},
            description = "Print the stack trace of a failure.",
            scope = ScopeType.INHERIT)
    private boolean verbose;

    private PipeDeviceCommand() {}

    /**
     * Runs one command and ends the process with its exit code.
     *
     * @param args the command's name, its options and its parameters
     */
    public static void main(String[] args) {
        System.exit(commandLine(ServiceLoader.load(CommandModule.class)).execute(args));
    }

    /**
     * The command line with all its commands.
     *
     * @param modules the commands of other modules
     * @return a new command line, for one execution
     */
    public static CommandLine commandLine(Iterable<CommandModule> modules) {
        PipeDeviceCommand top = new PipeDeviceCommand();
        CommandLine line = new CommandLine(top);
        List<CommandLine> found = new ArrayList<>();
        modules.forEach(module -> found.add(new CommandLine(module.command())));
        found.sort(Comparator.comparing(CommandLine::getCommandName));
        found.forEach(command -> line.addSubcommand(command.getCommandName(), command));
        complete(line);
        // A program's own arguments may also begin with @.
        return line.setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(top::failed)
                .setParameterExceptionHandler(PipeDeviceCommand::misunderstood);
    }

    /** Without a command: prints the usage to standard error, and returns the exit code for an invalid command line. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return CommandLine.ExitCode.USAGE;
    }

    private static Map<String, String> exitCodes() {
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put(String.valueOf(CommandLine.ExitCode.OK), "done");
        codes.put(String.valueOf(CommandLine.ExitCode.SOFTWARE), "failed; standard error says why");
        codes.put(String.valueOf(CommandLine.ExitCode.USAGE), "not understood: unknown command, option or value");
        return codes;
    }

    /** Adds the common options to a command and all its subcommands. */
    private static void complete(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        spec.mixinStandardHelpOptions(true);
        spec.versionProvider(new ManifestVersion());
        Map<String, String> codes = new LinkedHashMap<>(EXIT_CODES);
        codes.putAll(spec.usageMessage().exitCodeList());
        spec.usageMessage().exitCodeListHeading("%nExit codes:%n").exitCodeList(codes);
        line.getSubcommands().values().forEach(PipeDeviceCommand::complete);
    }

    private int failed(Exception failure, CommandLine command, ParseResult parsed) {
        // Without a reason the message is only a path.
        boolean isPath = failure instanceof FileSystemException file && file.getReason() == null;
        String message = isPath ? null : failure.getMessage();
        PrintWriter err = command.getErr();
        err.println("pipedevice: " + (message == null ? failure.toString() : message));
        if (verbose) {
            failure.printStackTrace(err);
        }
        err.flush();
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    private static int misunderstood(ParameterException misuse, String[] args) {
        CommandLine command = misuse.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("pipedevice: " + reason(misuse));
        UnmatchedArgumentException.printSuggestions(misuse, err);
        if (command.getCommand() instanceof DoctorCommand && misuse instanceof UnmatchedArgumentException) {
            err.println("Write -- before a program with options of its own: pipedevice doctor -- java -jar app.jar");
        }
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String reason(ParameterException misuse) {
        if (misuse instanceof UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()
                && !misuse.getCommandLine().getSubcommands().isEmpty()) {
            return "unknown command '" + unmatched.getUnmatched().get(0) + "'";
        }
        return misuse.getMessage();
    }

    /** The output of {@code --version}: the jar's version, and the JVM that runs it. */
    private static final class ManifestVersion implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = PipeDeviceCommand.class.getPackage().getImplementationVersion();
            return new String[] {
                "pipedevice " + (version == null ? "(not from a jar)" : version),
                "JVM ${java.runtime.version}, ${java.vendor}"
            };
        }
    }
}
