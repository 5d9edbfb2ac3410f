// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Random;

/** Writes wrong values into words of shared memory that other processes read. Used by one thread. */
public final class WordMutator {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private final Random random;

    /** A word of 8 bytes, by its offset in its structure. */
    public record Word(String name, int offset) {}

    /** Creates a mutator that draws the same number of random numbers for each word. */
    public WordMutator(Random random) {
        this.random = random;
    }

    /**
     * Writes to one of the words.
     *
     * @param words the choice
     * @param memory of the words
     * @param base from which their offsets count
     * @return the name of the word and its new value
     */
    public String mutate(List<Word> words, MemorySegment memory, long base) {
        Word word = words.get(random.nextInt(words.size()));
        WrongValue wrong = WrongValue.next(random);
        long at = base + word.offset;
        WORD.setRelease(memory, at, wrong.of((long) WORD.getAcquire(memory, at)));
        return word.name + " = " + wrong;
    }
}
