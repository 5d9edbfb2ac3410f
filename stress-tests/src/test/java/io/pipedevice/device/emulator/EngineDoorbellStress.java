// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The driver submits a command while the engine's thread goes to sleep. (false, false) is the bug, a lost wake-up: the
 * command is in the queue and the engine parks. It appears when either fence of {@link EngineDoorbell} is removed.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The driver sees the sleeper, and rings.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The engine sees the command, and stays awake.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: one ring too many, which costs only time.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class EngineDoorbellStress {
    private final MemorySegment memory =
            MemorySegment.ofArray(new long[(int) CommandQueueDescriptor.requiredLength(2) / Long.BYTES]);
    private final CommandProducer producer = new CommandProducer(memory, 2, 1);
    private final CommandConsumer consumer = new CommandConsumer(memory, 2, 1);
    private final Command command = new Command();
    private final EngineDoorbell doorbell = new EngineDoorbell();

    /** The driver's thread. */
    @Actor
    public void driver(ZZ_Result result) {
        producer.offer(command);
        result.r1 = doorbell.ring();
    }

    /** The engine's thread. */
    @Actor
    public void engine(ZZ_Result result) {
        doorbell.announce();
        result.r2 = !consumer.isEmpty();
    }
}
