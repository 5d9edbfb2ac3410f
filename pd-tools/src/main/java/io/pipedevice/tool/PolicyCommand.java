// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import io.pipedevice.driver.policy.file.PolicyException;
import io.pipedevice.driver.policy.file.PolicyFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Commands about the policy of a driver. */
@Command(
        name = "policy",
        description = "Check the file of a driver's policy, and explain its decisions.",
        subcommands = {PolicyCommand.Check.class, PolicyExplainCommand.class},
        footer = {"", "docs/policy.md says what such a file has."})
final class PolicyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Without a subcommand: as the whole command line without a command. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return CommandLine.ExitCode.USAGE;
    }

    /** Reads a file, and prints what the driver would understand. */
    @Command(
            name = "check",
            description = "Check a policy, and print its rules as the driver understands them.",
            footer = {"", "A policy that is not valid is a failure, with the file, the line and what is allowed there."
            })
    static final class Check implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE", description = "The file of the policy.")
        private Path file;

        @Override
        public Integer call() throws PolicyException {
            PrintWriter out = spec.commandLine().getOut();
            PolicyText.of(PolicyFile.read(file)).forEach(out::println);
            out.flush();
            return CommandLine.ExitCode.OK;
        }
    }
}
