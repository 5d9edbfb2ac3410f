// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands for Kubernetes. */
@Command(
        name = "kube",
        description = "Add PipeDevice to the pods of Kubernetes.",
        subcommands = InjectCommand.class,
        footer = {"", "docs/kubernetes.md says what is added."})
public final class KubeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Makes the command; picocli calls this. */
    public KubeCommand() {}

    /** Without a subcommand: as the whole command line without a command. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return CommandLine.ExitCode.USAGE;
    }
}
