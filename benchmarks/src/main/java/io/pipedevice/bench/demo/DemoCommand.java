// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.demo;

import io.pipedevice.bench.Machine;
import io.pipedevice.bench.NetworkNamespace;
import io.pipedevice.bench.Project;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A demonstration: the same two programs on kernel TCP and on PipeDevice. */
@Command(
        name = "demo",
        description = "Run an unmodified NIO server and client in two JVMs, on kernel TCP and then on PipeDevice.",
        footer = {
            "",
            "The programs are DigestServer and DigestClient of the samples, which use",
            "java.nio and nothing else. Every byte is checked. The exit code is 1 if one did",
            "not arrive, or if nothing was accelerated. The programs run in a network",
            "namespace of their own where possible, so that TCP is as on most hosts (CUBIC",
            "or Reno)."
        })
final class DemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "2",
            description = "Length of each measurement, 0.1 to 60 (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(names = "--no-namespace", description = "Stay in the caller's network namespace.")
    private boolean noNamespace;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(seconds >= 0.1 && seconds <= 60)) {
            throw new ParameterException(spec.commandLine(), "--seconds must be from 0.1 to 60, not " + seconds);
        }
        if (NetworkNamespace.isInside()) {
            NetworkNamespace.enter();
        } else if (!noNamespace) {
            OptionalInt exit = NetworkNamespace.run(
                    spec.root().commandLine().getParseResult().originalArgs());
            if (exit.isPresent()) {
                return exit.getAsInt();
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                "An unmodified NIO server and client (samples: DigestServer, DigestClient), each in a JVM of its own.");
        out.println("TCP: congestion control " + Machine.congestionControl() + ", TCP_NODELAY on both sides.");
        out.println("running on kernel TCP ...");
        out.flush();
        long millis = (long) (seconds * 1000);
        DemoRun kernel = DemoRun.run(List.of(), millis);
        out.println("running on PipeDevice ...");
        out.flush();
        // Enabled explicitly, because on a machine with one processor PipeDevice would stay off.
        DemoRun rings = DemoRun.run(List.of("-javaagent:" + Project.userJar(), "-Dpipedevice.enabled=true"), millis);
        out.println();
        out.print(DemoReport.text(kernel, rings));
        out.flush();
        if (kernel.accelerated() != 0 || rings.accelerated() != DemoRun.CONNECTIONS) {
            throw new IOException("not accelerated: of the client's " + DemoRun.CONNECTIONS + " connections, "
                    + rings.accelerated() + " went through rings (and " + kernel.accelerated()
                    + " where PipeDevice was off). Ask './pipedevice stat' while it runs for the reasons.");
        }
        return 0;
    }
}
