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
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Publication in an SQ or CQ: a thread that sees the tail sees the entry. -1 is the bug: the consumer takes an entry
 * that the producer has not written, or only in part. It appears when the producer publishes its tail before it writes
 * the entry.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Nothing is published yet.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "The whole entry.")
@Outcome(id = "-1", expect = Expect.FORBIDDEN, desc = "An entry that was not written, or only in part.")
@State
public class CommandQueueStress {
    private final MemorySegment memory =
            MemorySegment.ofArray(new long[(int) CommandQueueDescriptor.requiredLength(2) / Long.BYTES]);
    private final CommandProducer producer = new CommandProducer(memory, 2, 1);
    private final CommandConsumer consumer = new CommandConsumer(memory, 2, 1);
    private final Command in = new Command().set(1, 2, 3, 4, 5, 6, 7, 8, 9);
    private final Command out = new Command();

    /** Offers one command. */
    @Actor
    public void producer() {
        producer.offer(in);
    }

    /** Takes the command, if there is one. */
    @Actor
    public void consumer(I_Result result) {
        if (consumer.poll(out)) {
            boolean whole = out.type() == 1
                    && out.source() == 2
                    && out.destination() == 3
                    && out.length() == 4
                    && out.containerId() == 5
                    && out.connectionId() == 6
                    && out.tableId() == 7
                    && out.entrySequence() == 8
                    && out.tag() == 9;
            result.r1 = whole ? 1 : -1;
        }
    }
}
