// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.IntroductionMessage;
import io.pipedevice.test.Attack;
import io.pipedevice.test.FrameMutator.Frame;
import io.pipedevice.test.ShrinkingMemory;
import java.io.IOException;
import java.nio.file.Path;

/** The beginning of a participation in introductions, with an occasional error: in JOIN, PERMITS, or their order. */
final class ParticipationFuzz {
    private static final int ONE_IN = 6;
    private static final long PATIENCE_MS = 5000;
    private static final long LONG_MS = 20_000;

    private ParticipationFuzz() {}

    /** Joins, and passes the memory of permits. */
    static Participation join(Attack attack, Path directory) throws IOException {
        if (!attack.isWrong(ONE_IN)) {
            return Participation.join(directory);
        }
        Participation joined = Participation.open(directory);
        try {
            joinWrong(attack, joined);
            return joined;
        } catch (IOException | RuntimeException e) {
            joined.close();
            throw e;
        }
    }

    private static void joinWrong(Attack attack, Participation joined) throws IOException {
        Frame join = joined.join();
        switch (attack.random.nextInt(6)) {
            case 0 -> joined.send(attack.frame(join));
            case 1 -> {
                attack.log("JOIN twice");
                joined.send(join);
                joined.send(join);
            }
            case 2 -> {
                attack.log("PERMITS before JOIN");
                joined.send(joined.permits());
                joined.send(join);
            }
            case 3 -> {
                attack.log("PERMITS twice");
                joined.send(join);
                joined.send(joined.permits());
                joined.send(joined.permits());
            }
            case 4 -> {
                joined.send(join);
                shrink(attack, joined);
            }
            default -> {
                joined.send(join);
                joined.send(attack.frame(joined.permits()));
            }
        }
    }

    /** The driver must not take memory for permits that can shrink. Only a refusal has an answer. */
    private static void shrink(Attack attack, Participation joined) throws IOException {
        attack.log("PERMITS with memory that shrinks");
        joined.await(IntroductionMessage.JOIN, 0, PATIENCE_MS);
        try (ShrinkingMemory memory = ShrinkingMemory.copyOf(joined.permitMemory(), SharedRegion.REQUIRED_SEALS)) {
            joined.send(joined.permits(memory.fd()));
            if (!joined.await(IntroductionMessage.PERMITS, joined.request(), LONG_MS)) {
                throw new AssertionError("memory for permits that can shrink is taken");
            }
        }
    }
}
