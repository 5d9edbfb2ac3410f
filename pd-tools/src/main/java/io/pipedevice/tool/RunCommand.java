// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Documents a command that the script itself executes: the script replaces its process by the program, which a JVM
 * cannot do.
 */
@Command(
        name = "run",
        description = "Run a program with PipeDevice in its JVM, and in those that it starts.",
        footer = {
            "",
            "The program replaces this command: signals and exit code are its own.",
            "The environment variable JAVA_TOOL_OPTIONS adds PipeDevice; each JVM",
            "prints a line about it.",
            "",
            "With --cache, a run of java that ends by itself or by a signal other",
            "than KILL leaves an AOT cache, with which later runs start faster.",
            "",
            "Use: ./pipedevice run -- java -jar app.jar"
        })
final class RunCommand implements Callable<Integer> {
    @Option(names = "--driver", paramLabel = "DIR", description = "The directory of the driver to attach to.")
    private Path driver;

    @Option(
            names = "--cache",
            paramLabel = "DIR",
            description = "The directory where an AOT cache of the program is made and found.")
    private Path cache;

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The program and its arguments, after --.")
    private List<String> command;

    /** Called only without the script, as by {@code java -jar}. */
    @Override
    public Integer call() {
        throw new IllegalStateException(
                "run is a command of the script ./pipedevice, with no option but --driver DIR and --cache DIR; without it, set"
                        + " JAVA_TOOL_OPTIONS=-javaagent:pipedevice-agent.jar"
                        + (driver == null ? "" : " -Dpipedevice.driver=" + driver)
                        + (cache == null
                                ? ""
                                : " -Xbootclasspath/a:pipedevice-agent.jar and -XX:AOTCacheOutput=FILE or -XX:AOTCache=FILE")
                        + " and start " + command.get(0));
    }
}
