// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A step of a game's plan.
 *
 * @param kind the kind of the step
 * @param client at which end; an action that belongs to the step happens at the other one
 * @param line on which connection
 * @param form which of the ways to do it
 * @param size bytes
 * @param choice selects among variants of the kind
 * @param thread which kind of thread does it
 */
record Step(Kind kind, boolean client, int line, int form, int size, int choice, ThreadKind thread) {
    /** The kinds of steps, and their frequencies, which add up to about a hundred. */
    enum Kind {
        CONNECT(10),
        ACCEPT(10),
        WRITE(14),
        READ(14),
        TIMED_READ(1),
        SEND_FILE(3),
        RECEIVE_FILE(3),
        INTERRUPTED(1),
        STREAM(3),
        EXCHANGE(2),
        FILL(2),
        DRAIN(5),
        READ_TO_END(2),
        AVAILABLE(3),
        LOOK(2),
        SHUT_INPUT(1),
        SHUT_OUTPUT(3),
        LINGER(1),
        CLOSE(4),
        MODE(5),
        REGISTER(7),
        INTEREST(4),
        CANCEL(2),
        SELECT(10),
        BLOCKED_READ(6),
        BLOCKED_WRITE(3),
        BLOCKED_SELECT(4),
        BUSY_SELECT(6),
        BLOCKED_ACCEPT(2),
        STOP_LISTENING(1);

        final int weight;

        Kind(int weight) {
            this.weight = weight;
        }
    }

    static final int LINES = 3;
    private static final int LARGEST_STREAM = 600_000;

    /** The plan of a seed. */
    static List<Step> plan(long seed) {
        return plan(seed, EnumSet.allOf(Kind.class));
    }

    /** A plan without selectors, non-blocking mode and transfers of files, which sockets of java.net do not have. */
    static List<Step> planOfSockets(long seed) {
        EnumSet<Kind> kinds = EnumSet.allOf(Kind.class);
        kinds.removeAll(EnumSet.range(Kind.MODE, Kind.SELECT));
        kinds.removeAll(EnumSet.of(Kind.FILL, Kind.BLOCKED_SELECT, Kind.BUSY_SELECT));
        kinds.removeAll(EnumSet.of(Kind.SEND_FILE, Kind.RECEIVE_FILE));
        return plan(seed, kinds);
    }

    private static List<Step> plan(long seed, Set<Kind> kinds) {
        Random random = new Random(seed);
        List<Step> steps = new ArrayList<>();
        steps.add(random(random, Kind.CONNECT));
        steps.add(random(random, Kind.ACCEPT));
        for (int left = 20 + random.nextInt(60); left > 0; left--) {
            steps.add(random(random, kind(random, kinds)));
        }
        return steps;
    }

    private static Kind kind(Random random, Set<Kind> kinds) {
        int left = random.nextInt(kinds.stream().mapToInt(kind -> kind.weight).sum());
        for (Kind kind : kinds) {
            left -= kind.weight;
            if (left < 0) {
                return kind;
            }
        }
        throw new AssertionError();
    }

    private static Step random(Random random, Kind kind) {
        boolean large = kind == Kind.STREAM || kind == Kind.EXCHANGE;
        int bound = large ? LARGEST_STREAM : 1 << random.nextInt(14);
        return new Step(
                kind,
                random.nextBoolean(),
                Math.max(0, random.nextInt(LINES + 2) - 2),
                random.nextInt(1 << 16),
                random.nextInt(bound + 1),
                random.nextInt(1 << 16),
                random.nextInt(3) == 0 ? ThreadKind.VIRTUAL : ThreadKind.PLATFORM);
    }

    /** An act of this step, with another kind, size and position. */
    Act act(Act.Kind what, int bytes, long position) {
        return new Act(what, line, form, bytes, position, thread);
    }
}
