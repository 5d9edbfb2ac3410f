// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * The mutations of one round of a fuzzer. They have their own random numbers, so that the seed alone determines their
 * sequence; their number depends on when the other side ends the round. A round of a harmless fuzzer takes as long and
 * does nothing wrong. Used by one thread.
 */
public final class Attack {
    private static final int MOST_KEPT = 40;
    private static final long STEP_NS = 300_000;

    /** Random numbers of the mutations, and of nothing else. */
    public final Random random;

    /** Random numbers of correct behaviour. */
    public final Random honest;

    public final WordMutator words;
    public final StrangeFds strange;
    private final FrameMutator frames;
    private final List<FrameMutator.Field> fields;
    private final boolean harmless;
    private final ArrayDeque<String> last;
    private final AttackCounts counts;

    /** Creates the attack of one round. */
    Attack(
            long seed,
            boolean harmless,
            List<FrameMutator.Field> fields,
            StrangeFds strange,
            ArrayDeque<String> last,
            AttackCounts counts) {
        this.random = new Random(seed);
        this.honest = new Random(~seed);
        this.frames = new FrameMutator(random, strange);
        this.words = new WordMutator(random);
        this.fields = fields;
        this.strange = strange;
        this.harmless = harmless;
        this.last = last;
        this.counts = counts;
    }

    public boolean isHarmless() {
        return harmless;
    }

    /** The message to send: with one thing wrong, unless the round is harmless. */
    public FrameMutator.Frame frame(FrameMutator.Frame right) {
        return frame(right, fields);
    }

    /** As {@link #frame(FrameMutator.Frame)}, for a message that has other fields than most. */
    public FrameMutator.Frame frame(FrameMutator.Frame right, List<FrameMutator.Field> fieldsOfIt) {
        FrameMutator.Frame wrong = frames.mutate(right, fieldsOfIt);
        if (harmless) {
            return right;
        }
        log(wrong.toString());
        return wrong;
    }

    /** Whether something is to be done wrong now, which is so once in a number of times; never in a harmless round. */
    public boolean isWrong(int oneIn) {
        return !harmless && random.nextInt(oneIn) == 0;
    }

    /** The message to send: with one thing wrong once in a number of times. */
    public FrameMutator.Frame sometimes(int oneIn, FrameMutator.Frame right) {
        return isWrong(oneIn) ? frame(right) : right;
    }

    /** Counts what the other side has done for this process, so that a fuzzer that reaches nothing is noticed. */
    public void reached(String what) {
        counts.reached(what);
    }

    /** Records a mutation. */
    public void log(String what) {
        counts.mutated();
        begin(what);
    }

    /** Records the beginning of a round. */
    void begin(String what) {
        synchronized (last) {
            if (last.size() >= MOST_KEPT) {
                last.removeFirst();
            }
            last.addLast(what);
        }
    }

    /** Pauses between two steps, because the machine runs other processes whose latency is measured. */
    public void pause() {
        LockSupport.parkNanos(STEP_NS);
    }

    static List<String> kept(ArrayDeque<String> last) {
        synchronized (last) {
            return new ArrayList<>(last);
        }
    }
}
