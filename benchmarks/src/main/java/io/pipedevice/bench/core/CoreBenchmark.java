// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import java.io.IOException;
import java.io.PrintWriter;

/**
 * The whole-program benchmark of the core: each run starts new processes for each subject in turn, so changes of the
 * machine over time, or between JVMs, affect all subjects alike. A subject that fails is not measured again; the others
 * go on.
 */
final class CoreBenchmark {
    private final CoreOptions options;
    private final PrintWriter progress;
    private final CoreResults results = new CoreResults();

    /** What is being done, for the message of a failure. */
    private String step = "";

    CoreBenchmark(CoreOptions options, PrintWriter progress) {
        this.options = options;
        this.progress = progress;
    }

    CoreResults run() throws InterruptedException {
        for (int run = 1; run <= options.runs(); run++) {
            for (Subject subject : options.subjects()) {
                if (!results.failures().containsKey(subject)) {
                    measure(subject, run);
                }
            }
        }
        return results;
    }

    private void measure(Subject subject, int run) throws InterruptedException {
        say("run " + run + " of " + options.runs() + ", " + subject.title());
        step = "start";
        try (Leg leg = Leg.start(subject, options)) {
            leg.warmUp();
            for (int size : options.sizes()) {
                measure(leg, subject, size, run == 1);
            }
            step = "end";
            results.add(subject, leg.facts());
        } catch (IOException e) {
            results.fail(subject, "run " + run + ", " + step + ": " + e.getMessage());
            say(subject.title() + " failed: " + e.getMessage());
        }
    }

    private void measure(Leg leg, Subject subject, int size, boolean first) throws IOException, InterruptedException {
        for (Phase phase : options.phases()) {
            step = CoreReport.size(size) + ", " + phase.title();
            if (phase == Phase.PING_PONG) {
                results.add(subject, size, leg.pingPong(size));
                continue;
            }
            results.add(subject, phase, size, leg.stream(phase, size));
            if (first && options.systemCalls()) {
                results.add(subject, phase, size, leg.systemCalls(phase, size));
            }
        }
    }

    private void say(String text) {
        progress.println(text);
        progress.flush();
    }
}
