// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.stress;

import io.pipedevice.memory.SendBufferTable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * Release of a block by one thread while another reclaims and allocates: the space is reused only after the user of the
 * first block has finished. A first value of 2 is the bug: the space was reused during its use. It appears when a block
 * is reclaimed without a check of its state.
 */
@JCStressTest
@Outcome(id = "1, false", expect = Expect.ACCEPTABLE, desc = "The ring is still full.")
@Outcome(id = "1, true", expect = Expect.ACCEPTABLE, desc = "The block was released, and its space is used again.")
@Outcome(id = "2, true", expect = Expect.FORBIDDEN, desc = "The space was used again before it was released.")
@State
public class SendBufferReclaimStress {
    private static final int SIZE = 8;

    private final SendBufferTable table = new SendBufferTable(SIZE, 64);
    private final int[] ring = {1};
    private final long block = table.allocate(SIZE);

    /** The thread that uses the block, and frees it. */
    @Actor
    public void user(IZ_Result result) {
        result.r1 = ring[0];
        table.release(block);
    }

    /** The socket's sender: allocates. */
    @Actor
    public void sender(IZ_Result result) {
        table.reclaim(0);
        if (table.allocate(SIZE) != SendBufferTable.FULL) {
            ring[0] = 2;
            result.r2 = true;
        }
    }
}
