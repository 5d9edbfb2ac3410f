// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.stress;

import io.pipedevice.memory.SendBufferTable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * Two threads release the same block, and one of them then uses the block's entry in the table for another block.
 * Exactly one release succeeds, and the other block stays allocated. Any other result is the bug: a double free that is
 * not recognised. It appears when the entry's state is changed without compare-and-set, or does not contain the block's
 * number.
 */
@JCStressTest
@Outcome(
        id = {"true, false, true", "false, true, true"},
        expect = Expect.ACCEPTABLE,
        desc = "Released once.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Released twice or never, or the wrong block.")
@State
public class SendBufferReleaseStress {
    private static final int BLOCKS = 64;
    private static final int SIZE = 8;

    private final SendBufferTable table = new SendBufferTable(BLOCKS * SIZE, BLOCKS);

    /** Fills the table. */
    public SendBufferReleaseStress() {
        for (int i = 0; i < BLOCKS; i++) {
            table.allocate(SIZE);
        }
    }

    /** Releases the oldest block. */
    @Actor
    public void user(ZZZ_Result result) {
        result.r1 = table.release(0);
    }

    /** Releases the oldest block too, and allocates the block that takes its entry. */
    @Actor
    public void sender(ZZZ_Result result) {
        result.r2 = table.release(0);
        table.reclaim(0);
        table.allocate(SIZE);
    }

    /** Checks the block that was allocated last. */
    @Arbiter
    public void rest(ZZZ_Result result) {
        result.r3 = table.isAllocated(BLOCKS);
    }
}
