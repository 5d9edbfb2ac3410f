// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

/**
 * A member that makes all members send to all: takes the arguments of {@link JGroupsMember}; with {@code measure} it
 * only measures, in messages that each member has sent and all have received.
 */
final class JGroupsLoad {
    /** Messages of each member in a round: more than credits, buffers and rings hold. */
    private static final int MESSAGES = 20_000;

    private static final int LENGTH = 1000;
    private static final int LARGE_MESSAGES = 50;
    private static final int LARGE = 1 << 20;

    private JGroupsLoad() {}

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        JGroupsEnd end = new JGroupsEnd(arguments);
        checks.run("all members are there", end::awaitAll);
        if (arguments.has("measure")) {
            checks.run("measure", () -> measure(end));
        } else {
            checks.run("small messages", () -> round(end, checks, MESSAGES, LENGTH));
            checks.run("large messages", () -> round(end, checks, LARGE_MESSAGES, LARGE));
            checks.run("messages of all sizes", () -> round(end, checks, MESSAGES / 4, 0));
        }
        checks.end(end::close);
    }

    private static void round(JGroupsEnd end, Checks checks, int messages, int length) throws Exception {
        end.round(messages, length);
        checks.sent((long) messages * length);
        checks.received((long) messages * length * (end.members() - 1));
    }

    private static void measure(JGroupsEnd end) throws Exception {
        Figures.warmUp(() -> end.round(MESSAGES, LENGTH));
        Figures figures = new Figures();
        int rounds = figures.repeatLong(() -> end.round(MESSAGES, LENGTH));
        figures.printOperations((long) rounds * MESSAGES * end.members());
        figures.printDelay();
    }
}
