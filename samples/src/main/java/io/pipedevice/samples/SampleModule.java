// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import io.pipedevice.samples.table.TableSample;
import io.pipedevice.samples.tree.TreeSample;
import io.pipedevice.tool.CommandModule;
import picocli.CommandLine.Command;

/** Adds the samples to the command line. */
public final class SampleModule implements CommandModule {
    /** Creates the module; called by the service loader. */
    public SampleModule() {}

    @Override
    public Object command() {
        return new Samples();
    }

    @Command(
            name = "sample",
            description = "Programs to read and to run.",
            subcommands = {Listing1.class, TableSample.class, TreeSample.class})
    private static final class Samples {}

    @Command(
            name = "listing1",
            description = "Listing 1 of the paper: a server that receives and a client that sends, without a copy.",
            footer = {
                "",
                "In two shells, without a driver:",
                "  ./pipedevice sample listing1 server",
                "  ./pipedevice sample listing1 client --bytes 4g",
                "In three, with one:",
                "  ./pipedevice driver --dir /tmp/pd",
                "  ./pipedevice sample listing1 server --dir /tmp/pd",
                "  ./pipedevice sample listing1 client --dir /tmp/pd --bytes 4g"
            },
            subcommands = {Listing1Server.class, Listing1Client.class})
    private static final class Listing1 {}
}
