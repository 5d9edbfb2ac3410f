// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.stress;

import io.pipedevice.memory.ReceiveBufferTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * Reclaim in a receive ring: the reader consumes and says so, the driver directs the next copy into what was given
 * back. A first value of 2 is the bug: the reader reads what was copied over its data. It appears when the reader
 * gives the space back before it has read it, or when the table does not wait for the reader.
 */
@JCStressTest
@Outcome(id = "1, false", expect = Expect.ACCEPTABLE, desc = "The ring is still full.")
@Outcome(id = "1, true", expect = Expect.ACCEPTABLE, desc = "The space was given back, and is used again.")
@Outcome(id = "2, true", expect = Expect.FORBIDDEN, desc = "The data was overwritten while the reader read it.")
@State
public class RingReclaimStress {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final int PIECE = Long.BYTES;

    private final MemorySegment ring = MemorySegment.ofArray(new long[] {1, 1});
    private final MemorySegment consumed = MemorySegment.ofArray(new long[1]);
    private final ReceiveBufferTable table = new ReceiveBufferTable(2 * PIECE, 16);

    /** Fills the ring with two copies. */
    public RingReclaimStress() {
        for (int i = 0; i < 2; i++) {
            table.complete(table.reserve(PIECE));
        }
    }

    /** PD Lib: reads the first piece and releases it. */
    @Actor
    public void reader(IZ_Result result) {
        result.r1 = (int) ring.get(ValueLayout.JAVA_LONG, 0);
        WORD.setRelease(consumed, 0L, (long) PIECE);
    }

    /** PD Driver: makes the next copy if there is room. */
    @Actor
    public void driver(IZ_Result result) {
        table.consume((long) WORD.getAcquire(consumed, 0L));
        int entry = table.reserve(PIECE);
        if (entry != ReceiveBufferTable.FULL) {
            ring.set(ValueLayout.JAVA_LONG, table.pointer(entry), 2);
            result.r2 = true;
        }
    }
}
