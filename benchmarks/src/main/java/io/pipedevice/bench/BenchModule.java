// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import io.pipedevice.bench.containers.ContainersCommand;
import io.pipedevice.bench.core.CoreCommand;
import io.pipedevice.bench.device.DeviceCommand;
import io.pipedevice.bench.function.FunctionsCommand;
import io.pipedevice.bench.net.NetCommand;
import io.pipedevice.bench.paper.PaperCommand;
import io.pipedevice.bench.region.RegionsCommand;
import io.pipedevice.bench.regret.RegretCommand;
import io.pipedevice.tool.CommandModule;
import picocli.CommandLine.Command;

/** Adds the benchmarks to the command line. */
public final class BenchModule implements CommandModule {
    /** Creates the module; the service loader does. */
    public BenchModule() {}

    @Override
    public Object command() {
        return new Bench();
    }

    @Command(
            name = "bench",
            description = "Run a benchmark.",
            subcommands = {
                CoreCommand.class,
                DeviceCommand.class,
                NetCommand.class,
                RegretCommand.class,
                ContainersCommand.class,
                PaperCommand.class,
                RegionsCommand.class,
                FunctionsCommand.class
            })
    private static final class Bench {}
}
