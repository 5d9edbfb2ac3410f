// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import java.util.Arrays;

/** A set of bytes of a stack frame. Immutable. */
final class ByteSet {
    static final ByteSet NONE = new ByteSet(new long[Frame.LENGTH / Long.SIZE]);

    private final long[] words;

    private ByteSet(long[] words) {
        this.words = words;
    }

    private boolean has(int at) {
        return (words[at / Long.SIZE] & 1L << at) != 0;
    }

    boolean hasAll(int from, int to) {
        for (int i = from; i < to; i++) {
            if (!has(i)) {
                return false;
            }
        }
        return true;
    }

    boolean hasAny(int from, int to) {
        for (int i = from; i < to; i++) {
            if (has(i)) {
                return true;
            }
        }
        return false;
    }

    ByteSet with(int from, int to) {
        if (hasAll(from, to)) {
            return this;
        }
        long[] changed = words.clone();
        for (int i = from; i < to; i++) {
            changed[i / Long.SIZE] |= 1L << i;
        }
        return new ByteSet(changed);
    }

    ByteSet without(int from, int to) {
        if (!hasAny(from, to)) {
            return this;
        }
        long[] changed = words.clone();
        for (int i = from; i < to; i++) {
            changed[i / Long.SIZE] &= ~(1L << i);
        }
        return new ByteSet(changed);
    }

    ByteSet and(ByteSet other) {
        if (equals(other)) {
            return this;
        }
        long[] changed = words.clone();
        for (int i = 0; i < changed.length; i++) {
            changed[i] &= other.words[i];
        }
        return new ByteSet(changed);
    }

    ByteSet or(ByteSet other) {
        if (equals(other)) {
            return this;
        }
        long[] changed = words.clone();
        for (int i = 0; i < changed.length; i++) {
            changed[i] |= other.words[i];
        }
        return new ByteSet(changed);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByteSet set && Arrays.equals(words, set.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }
}
