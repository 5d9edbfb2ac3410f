// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.table;

import io.pipedevice.active.Regions;
import io.pipedevice.samples.function.CallOptions;
import io.pipedevice.samples.function.OwnedFunctions;
import io.pipedevice.samples.function.OwnerOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A hash table whose GET and PUT are active functions. */
@Command(
        name = "table",
        description = "A hash table of one process, on which others work by active functions.",
        footer = {
            "",
            "In three shells:",
            "  ./pipedevice driver --dir /tmp/pd",
            "  ./pipedevice sample table owner --dir /tmp/pd",
            "  ./pipedevice sample table put --dir /tmp/pd --place host colour blue",
            "  ./pipedevice sample table get --dir /tmp/pd --place client colour"
        },
        subcommands = {TableSample.Owner.class, TableSample.Get.class, TableSample.Put.class})
public final class TableSample {
    private static final String NAME = "table";
    private static final int MOST_PUTS = 1024;
    private static final int VALUE_LENGTH = 256;

    /** Creates the command; picocli does. */
    public TableSample() {}

    @Command(name = "owner", description = "Own a table, and serve calls.")
    static final class Owner implements Callable<Integer> {
        @Mixin
        private OwnerOptions options;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            TableLayout layout = TableLayout.of(options.keys(), MOST_PUTS, TableLayout.MAX_KEY, VALUE_LENGTH);
            try (Regions regions = options.attach();
                    OwnedFunctions table = HashTable.register(regions, NAME, layout)) {
                options.serve(
                        regions,
                        "a table in " + table.memory().size() + " regions",
                        spec.commandLine().getOut());
            }
            return 0;
        }
    }

    @Command(name = "get", description = "Print the value of a key.")
    static final class Get implements Callable<Integer> {
        @Mixin
        private CallOptions options;

        @Parameters(paramLabel = "KEY", description = "1 to 64 bytes.")
        private String key;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            try (Regions regions = options.attach();
                    RemoteTable table = new RemoteTable(regions, NAME)) {
                byte[] value = table.get(key.getBytes(StandardCharsets.UTF_8), options.place());
                if (value == null) {
                    throw new IOException("the table has no key '" + key + "'");
                }
                spec.commandLine().getOut().println(new String(value, StandardCharsets.UTF_8));
            }
            return 0;
        }
    }

    @Command(name = "put", description = "Give a key a value.")
    static final class Put implements Callable<Integer> {
        @Mixin
        private CallOptions options;

        @Parameters(paramLabel = "KEY", index = "0", description = "1 to 64 bytes.")
        private String key;

        @Parameters(paramLabel = "VALUE", index = "1", description = "Up to 256 bytes.")
        private String value;

        @Override
        public Integer call() throws IOException {
            try (Regions regions = options.attach();
                    RemoteTable table = new RemoteTable(regions, NAME)) {
                table.put(
                        key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8), options.place());
            }
            return 0;
        }
    }
}
