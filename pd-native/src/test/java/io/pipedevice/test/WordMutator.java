// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Random;

/** Writes wrong values into words of shared memory that others read. One thread. */
public final class WordMutator {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final Random random;

    /** A word of 8 bytes, by its offset in whatever it belongs to. */
    public record Word(String name, int offset) {}

    /** Draws what to write from random numbers, as many for each word. */
    public WordMutator(Random random) {
        this.random = random;
    }

    /**
     * Writes to one of the words.
     *
     * @param words the choice
     * @param memory where they lie
     * @param base what their offsets count from
     * @return what was written
     */
    public String mutate(List<Word> words, MemorySegment memory, long base) {
        Word word = words.get(random.nextInt(words.size()));
        WrongValue wrong = WrongValue.next(random);
        long at = base + word.offset;
        WORD.setRelease(memory, at, wrong.of((long) WORD.getAcquire(memory, at)));
        return word.name + " = " + wrong;
    }
}
