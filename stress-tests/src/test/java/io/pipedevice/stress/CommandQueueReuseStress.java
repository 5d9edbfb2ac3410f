// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.stress;

import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandConsumer;
import io.pipedevice.queue.CommandProducer;
import io.pipedevice.queue.CommandQueueDescriptor;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * Reuse of an entry of a full SQ or CQ: the producer writes it only after the consumer has copied it out. A first value
 * other than 1 is the bug: the consumer reads an entry that was overwritten. It appears when the consumer releases the
 * entry before it has copied it.
 */
@JCStressTest
@Outcome(id = "1, false", expect = Expect.ACCEPTABLE, desc = "The queue is still full.")
@Outcome(id = "1, true", expect = Expect.ACCEPTABLE, desc = "The entry was given back, and is used again.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The entry was written while the consumer read it.")
@State
public class CommandQueueReuseStress {
    private final MemorySegment memory =
            MemorySegment.ofArray(new long[(int) CommandQueueDescriptor.requiredLength(2) / Long.BYTES]);
    private final CommandProducer producer = new CommandProducer(memory, 2, 1);
    private final CommandConsumer consumer = new CommandConsumer(memory, 2, 1);
    private final Command in = new Command();
    private final Command out = new Command();

    /** Fills the queue with commands 1 and 2, and prepares 3. */
    public CommandQueueReuseStress() {
        for (int i = 1; i <= 2; i++) {
            producer.offer(numbered(i));
        }
        numbered(3);
    }

    private Command numbered(int number) {
        return in.set(number, number, number, number, number, number, number, number, number);
    }

    /** Takes the first command. */
    @Actor
    public void consumer(IZ_Result result) {
        consumer.poll(out);
        boolean whole = out.type() == out.source() && out.source() == out.destination() && out.tag() == out.type();
        result.r1 = whole ? out.type() : -1;
    }

    /** Offers the third command, which reuses the entry of the first. */
    @Actor
    public void producer(IZ_Result result) {
        result.r2 = producer.offer(in);
    }
}
