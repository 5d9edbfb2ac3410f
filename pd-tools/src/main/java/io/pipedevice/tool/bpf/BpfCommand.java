// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.bpf;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands about functions of eBPF. */
@Command(
        name = "bpf",
        description = "Print, verify and run functions of eBPF.",
        subcommands = {BpfDisasmCommand.class, BpfRunCommand.class, BpfVerifyCommand.class},
        footer = {"", "pd-active/README.md has an example."})
public final class BpfCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** For picocli. */
    public BpfCommand() {}

    /** Without a subcommand: as the whole command line without a command. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return CommandLine.ExitCode.USAGE;
    }
}
