// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.tree;

import io.pipedevice.active.Regions;
import io.pipedevice.samples.function.CallOptions;
import io.pipedevice.samples.function.OwnedFunctions;
import io.pipedevice.samples.function.OwnerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A B+tree whose GET and range scan are active functions. */
@Command(
        name = "tree",
        description =
                "A B+tree of one process, which others search by active functions. Its keys are the even numbers.",
        footer = {
            "",
            "In three shells:",
            "  ./pipedevice driver --dir /tmp/pd",
            "  ./pipedevice sample tree owner --dir /tmp/pd --keys 10000000",
            "  ./pipedevice sample tree get --dir /tmp/pd --place device 4242",
            "  ./pipedevice sample tree scan --dir /tmp/pd --place host 4242 --pairs 5"
        },
        subcommands = {TreeSample.Owner.class, TreeSample.Get.class, TreeSample.Scan.class})
public final class TreeSample {
    private static final String NAME = "tree";

    /** Creates the command; picocli does. */
    public TreeSample() {}

    @Command(name = "owner", description = "Own a tree, and serve calls.")
    static final class Owner implements Callable<Integer> {
        @Mixin
        private OwnerOptions options;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            TreeLoader loader = new TreeLoader(options.keys());
            try (Regions regions = options.attach();
                    OwnedFunctions tree = Tree.register(regions, NAME, loader)) {
                loader.load(tree.memory().getFirst(), number -> 2 * number, number -> number * number);
                options.serve(
                        regions,
                        "a tree of " + loader.levels() + " levels",
                        spec.commandLine().getOut());
            }
            return 0;
        }
    }

    @Command(name = "get", description = "Print the value of a key.")
    static final class Get implements Callable<Integer> {
        @Mixin
        private CallOptions options;

        @Parameters(paramLabel = "KEY", description = "A number.")
        private long key;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            try (Regions regions = options.attach();
                    RemoteTree tree = new RemoteTree(regions, NAME)) {
                long value =
                        tree.get(key, options.place()).orElseThrow(() -> new IOException("the tree has no key " + key));
                spec.commandLine().getOut().println(value);
            }
            return 0;
        }
    }

    @Command(name = "scan", description = "Print the pairs from a key on.")
    static final class Scan implements Callable<Integer> {
        @Mixin
        private CallOptions options;

        @Parameters(paramLabel = "KEY", description = "The least key.")
        private long key;

        @Option(
                names = "--pairs",
                defaultValue = "10",
                paramLabel = "N",
                description = "The most pairs, up to 100 (default: ${DEFAULT-VALUE}).")
        private int pairs;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            PrintWriter out = spec.commandLine().getOut();
            try (Regions regions = options.attach();
                    RemoteTree tree = new RemoteTree(regions, NAME)) {
                for (RemoteTree.Pair each : tree.scan(key, pairs, options.place())) {
                    out.println(each.key() + " " + each.value());
                }
            }
            return 0;
        }
    }
}
