// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import java.io.IOException;
import java.io.PrintWriter;

/**
 * The whole-program benchmark of the core: each run starts new processes for each transport in turn, so changes of the
 * machine over time, or between JVMs, affect both transports alike.
 */
final class CoreBenchmark {
    private final CoreOptions options;
    private final PrintWriter progress;
    private final CoreResults results = new CoreResults();
    private String pages = "none";

    CoreBenchmark(CoreOptions options, PrintWriter progress) {
        this.options = options;
        this.progress = progress;
    }

    CoreResults run() throws IOException, InterruptedException {
        for (int run = 1; run <= options.runs(); run++) {
            for (Transport transport : options.transports()) {
                try (Leg leg = Leg.start(transport, options)) {
                    say("run " + run + " of " + options.runs() + ", " + transport.title());
                    leg.warmUp();
                    for (int size : options.sizes()) {
                        measure(leg, transport, size, run == 1);
                    }
                    if (transport == Transport.PIPEDEVICE) {
                        pages = leg.pages();
                    }
                }
            }
        }
        return results;
    }

    /** The kind of pages that PipeDevice's rings had. */
    String pages() {
        return pages;
    }

    private void measure(Leg leg, Transport transport, int size, boolean first)
            throws IOException, InterruptedException {
        for (Phase phase : options.phases()) {
            if (phase == Phase.PING_PONG) {
                results.add(transport, size, leg.pingPong(size));
                continue;
            }
            results.add(transport, phase, size, leg.stream(phase, size));
            if (first && options.systemCalls()) {
                results.add(transport, phase, size, leg.systemCalls(phase, size));
            }
        }
    }

    private void say(String text) {
        progress.println(text);
        progress.flush();
    }
}
