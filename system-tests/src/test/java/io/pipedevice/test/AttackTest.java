// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The mutations of a fuzzer can be repeated by their seed. */
final class AttackTest {
    private static final int MUTATIONS = 40;

    private static final List<FrameMutator.Field> FIELDS =
            List.of(new FrameMutator.Field("first", 0, 8), new FrameMutator.Field("second", 8, 4));

    private static final List<WordMutator.Word> WORDS =
            List.of(new WordMutator.Word("one", 0), new WordMutator.Word("other", 8));

    private StrangeFds strange;

    @BeforeEach
    void open() throws IOException {
        strange = StrangeFds.open();
    }

    @AfterEach
    void close() throws IOException {
        strange.close();
    }

    private List<String> mutations(long seed, long value) {
        ArrayDeque<String> log = new ArrayDeque<>();
        Attack attack = new Attack(seed, false, FIELDS, strange, log, new AttackCounts());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(32, 8);
            memory.setAtIndex(ValueLayout.JAVA_LONG, 0, value);
            for (int i = 0; i < MUTATIONS / 2; i++) {
                FrameMutator.Frame right = FrameMutator.Frame.of("message", memory);
                assertTrue(attack.frame(right) != right);
                attack.log(attack.words.mutate(WORDS, memory, 16));
            }
        }
        return Attack.kept(log);
    }

    @Test
    void aSeedRepeatsTheMutationsWhateverTheOtherSideDoes() {
        assertEquals(mutations(1, 0), mutations(1, 77));
        assertEquals(MUTATIONS, mutations(1, 0).size());
        assertEquals(2, new HashSet<>(List.of(mutations(1, 0), mutations(2, 0))).size());
    }
}
