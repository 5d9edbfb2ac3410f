// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;

/** The answers that a client of a chain awaits: one to each request, in any order. Used by one thread. */
public final class ChainAnswers {
    private final int requests;
    private final BitSet answered;
    private int missing;

    /**
     * Creates a set without answers.
     *
     * @param requests how many answers are awaited
     */
    public ChainAnswers(int requests) {
        this.requests = requests;
        this.missing = requests;
        this.answered = new BitSet(requests);
    }

    /**
     * Adds an answer.
     *
     * @param answer from position 0
     * @throws IOException if it answers no request, or one that is answered, or was changed
     */
    public void add(ByteBuffer answer) throws IOException {
        int number = answer.getInt(0);
        if (number < 0 || number >= requests || answered.get(number)) {
            throw new IOException("an answer to request " + number + ", which awaits none");
        }
        if (answer.getInt(ChainFunction.SOURCE) != ChainFunction.Source.address(number)) {
            throw new IOException("the answer to request " + number + " was changed");
        }
        answered.set(number);
        missing--;
    }

    /**
     * Whether each request is answered.
     *
     * @return whether no answer is missing
     */
    public boolean isComplete() {
        return missing == 0;
    }
}
