// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.stress;

import io.pipedevice.queue.Command;
import io.pipedevice.queue.EntryRingConsumer;
import io.pipedevice.queue.EntryRingProducer;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads produce into one entry ring, and the second also consumes: each command is taken once, and whole. A
 * second value other than 3 is the bug (1 and 2 stand for a lost command, -1 for one that was torn or taken twice). It
 * appears when a position is claimed without compare-and-set, or when an entry's stamp is stored before its other
 * words.
 */
@JCStressTest
@Outcome(id = "[0-2], 3", expect = Expect.ACCEPTABLE, desc = "Both commands, once each; the actor takes 0 to 2.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A command was lost, torn, or taken twice.")
@State
public class EntryRingStress {
    private final MemorySegment entries = MemorySegment.ofArray(new long[8]);
    private final MemorySegment consumed = MemorySegment.ofArray(new long[1]);
    private final EntryRingProducer producer = new EntryRingProducer(entries, 2, consumed, 0);
    private final EntryRingConsumer consumer = new EntryRingConsumer(entries, 2, consumed, 0);
    private final Command out = new Command();
    private int seen;

    private void offer(int number) {
        producer.offer(number, number, number, number, number, number, number);
    }

    private int take() {
        int taken = 0;
        while (consumer.poll(out)) {
            int number = out.type();
            boolean whole = out.source() == number
                    && out.destination() == number
                    && out.length() == number
                    && out.connectionId() == number
                    && out.tableId() == number
                    && out.entrySequence() == number;
            seen = whole && (seen & number) == 0 ? seen | number : -1;
            taken++;
        }
        return taken;
    }

    /** Produces command 1. */
    @Actor
    public void first() {
        offer(1);
    }

    /** Produces command 2, and takes the available commands. */
    @Actor
    public void second(II_Result result) {
        offer(2);
        result.r1 = take();
    }

    /** Takes the rest. */
    @Arbiter
    public void rest(II_Result result) {
        take();
        result.r2 = seen;
    }
}
