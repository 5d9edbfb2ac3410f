// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import io.pipedevice.driver.DriverPolicy;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.policy.Party;
import io.pipedevice.driver.policy.Policy;
import io.pipedevice.driver.policy.RulePolicy;
import io.pipedevice.driver.policy.Ruling;
import io.pipedevice.driver.policy.file.PolicyException;
import io.pipedevice.driver.policy.file.PolicyFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what a policy decides on connections of one process or container to another, and why. */
@Command(
        name = "explain",
        description = "Say what a policy decides on connections of one container to another, and by which line.",
        footer = {
            "",
            "CONTAINER is a process number, or at least 8 digits of a container's ID.",
            "Conditions on addresses are compared with those of the whole network namespace;",
            "a connection has one of them. Other users' processes need root."
        })
final class PolicyExplainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "CLIENT", description = "The container that connects.")
    private String client;

    @Parameters(index = "1", paramLabel = "SERVER", description = "The container that listens.")
    private String server;

    @ArgGroup(multiplicity = "1")
    private Source source;

    /** Where the policy is. */
    private static final class Source {
        @Option(names = "--policy", paramLabel = "FILE", description = "The file of the policy.")
        private Path file;

        @Option(names = "--dir", paramLabel = "DIR", description = "The directory of the driver whose policy it is.")
        private Path directory;
    }

    @Override
    public Integer call() throws IOException, PolicyException {
        PrintWriter out = spec.commandLine().getOut();
        Policy policy = source.file != null ? PolicyFile.read(source.file) : DriverPolicy.of(source.directory);
        Identity from = ProcessSearch.find(client);
        Identity to = ProcessSearch.find(server);
        describe(out, "client", from, policy);
        describe(out, "server", to, policy);
        decide(out, policy, new Party(from, null), new Party(to, null));
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    private static void describe(PrintWriter out, String which, Identity process, Policy policy) {
        out.println(which + ": process " + process.pid());
        String container = process.controlGroup().containerId();
        out.println(
                "  container          " + (container == null ? "none; counts as " + process.container() : container));
        if (process.controlGroup().podUid() != null) {
            out.println("  pod                " + process.controlGroup().podUid());
        }
        out.println("  control group      " + process.controlGroup().path());
        out.println("  user               " + Integer.toUnsignedString(process.uid()));
        out.println("  network namespace  " + process.networkNamespace());
        out.println("  user namespace     " + process.userNamespace());
        if (policy instanceof RulePolicy rules) {
            out.println("  belongs to         "
                    + (rules.groups(process).isEmpty()
                            ? "none of the policy's containers"
                            : String.join(
                                    ", ",
                                    rules.groups(process).stream()
                                            .map(group -> group.name())
                                            .toList())));
            RulePolicy.LimitRule limit = rules.decidingLimits(process);
            out.println(
                    "  limits             " + (limit == null ? "those of the driver's options" : PolicyText.of(limit)));
        }
    }

    private static void decide(PrintWriter out, Policy policy, Party from, Party to) {
        if (policy instanceof RulePolicy rules) {
            RulePolicy.Rule rule = rules.deciding(from, to);
            out.println("decided by " + PolicyText.of(rule));
            out.println("path: " + PolicyText.path(rule));
        } else {
            Ruling ruling = policy.rule(from, to);
            out.println("path: "
                    + (ruling.isPermitted()
                            ? ruling.path().name().toLowerCase(Locale.ROOT)
                            : "kernel: " + ruling.reason()));
        }
    }
}
