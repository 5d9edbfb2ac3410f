// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * A slot in which 100 bytes were sent by earlier connections and 10 by the last one is set up for the next connection,
 * while a driver reads how much was sent in it. The result is that sum. A driver that finds more than 110 counts bytes
 * for ever that were not sent.
 *
 * <p>Seen to fail when {@link SlotSetup} adds the position to the sum before it resets the position.
 */
@JCStressTest
@Outcome(id = "110", expect = Expect.ACCEPTABLE, desc = "What was sent.")
@Outcome(id = "100", expect = Expect.ACCEPTABLE, desc = "Less, for the moment.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Bytes that were counted twice.")
@State
public class PeerPositionsStress {
    private static final LinkMemory MEMORY =
            new LinkMemory(Arena.global().allocate(LinkMemoryDescriptor.LENGTH, LinkMemoryDescriptor.SLOT_LENGTH));
    private static final AtomicInteger SLOTS = new AtomicInteger();

    private final int slot = Math.floorMod(SLOTS.getAndIncrement(), LinkMemoryDescriptor.MAX_CONNECTIONS);

    /** Sets the words of the last connection. */
    public PeerPositionsStress() {
        MEMORY.setRelease(LinkMemoryDescriptor.slot(slot) + LinkMemoryDescriptor.SENT_BEFORE_OFFSET, 100);
        MEMORY.setRelease(LinkMemoryDescriptor.slot(slot) + LinkMemoryDescriptor.TAIL_OFFSET, 10);
    }

    /** Connects. */
    @Actor
    public void owner() {
        SlotSetup.open(MEMORY, slot, 2);
    }

    /** Reads, as {@link LinkPositions} does: the position after the sum. */
    @Actor
    public void driver(J_Result result) {
        long before = MEMORY.getAcquire(LinkMemoryDescriptor.slot(slot) + LinkMemoryDescriptor.SENT_BEFORE_OFFSET);
        result.r1 = before + MEMORY.getAcquire(LinkMemoryDescriptor.slot(slot) + LinkMemoryDescriptor.TAIL_OFFSET);
    }
}
