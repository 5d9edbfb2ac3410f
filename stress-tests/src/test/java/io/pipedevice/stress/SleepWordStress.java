// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.stress;

import io.pipedevice.protocol.SleepWord;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandConsumer;
import io.pipedevice.queue.CommandProducer;
import io.pipedevice.queue.CommandQueueDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The sleep and wake protocol around a command queue: one side publishes a command and checks whether the other sleeps;
 * the other announces its sleep and checks the queue once more. (false, false) is the bug, a lost wake-up: the command
 * is in the queue, no thread rings, and the sleeper blocks. It appears when either fence of {@link SleepWord} is
 * removed.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The waker sees the sleeper, and rings.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The sleeper sees the command, and stays awake.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: one ring too many, which costs only time.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class SleepWordStress {
    private final MemorySegment memory = Arena.ofAuto().allocate(CommandQueueDescriptor.requiredLength(2) + 64, 64);
    private final long word = CommandQueueDescriptor.requiredLength(2);
    private final CommandProducer producer = new CommandProducer(memory, 2, 1);
    private final CommandConsumer consumer = new CommandConsumer(memory, 2, 1);
    private final Command command = new Command();

    /** PD Lib: publishes, then checks whether to ring. */
    @Actor
    public void waker(ZZ_Result result) {
        producer.offer(command);
        result.r1 = SleepWord.sleeping(memory, word) != 0;
    }

    /** PD Driver: announces, then checks whether to block. */
    @Actor
    public void sleeper(ZZ_Result result) {
        SleepWord.announce(memory, word);
        result.r2 = !consumer.isEmpty();
    }
}
