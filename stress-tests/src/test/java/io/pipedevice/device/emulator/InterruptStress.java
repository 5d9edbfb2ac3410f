// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import io.pipedevice.device.DeviceHealth;
import io.pipedevice.queue.CommandConsumer;
import io.pipedevice.queue.CommandProducer;
import io.pipedevice.queue.CommandQueueDescriptor;
import io.pipedevice.queue.CommandType;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The engine posts a completion while the driver requests an interrupt. (true, false) is the bug, a lost interrupt: the
 * driver may sleep, and no thread wakes it. It appears when the fence of {@link Interrupt#arm} or that of
 * {@link Interrupt#raise} is removed.
 */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "The driver sleeps and is interrupted.")
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "The driver sees the completion.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "Both: one interrupt too many.")
@Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "Lost interrupt.")
@State
public class InterruptStress {
    private boolean raised;
    private final Interrupt interrupt = new Interrupt(() -> raised = true);
    private final EngineLane engineLane;
    private final EmulatorLane lane;

    /** Creates a lane whose engine has a thread and is about to complete a command. */
    public InterruptStress() {
        MemorySegment sq = queue();
        MemorySegment cq = queue();
        engineLane = new EngineLane(new CommandConsumer(sq, 2, 1), new CommandProducer(cq, 2, 1), interrupt);
        EngineHost host = new EngineHost(new Engine(new EngineLane[] {engineLane}, new AddressTable(), 4096));
        host.setHosted(true);
        lane = new EmulatorLane(
                new CommandProducer(sq, 2, 1),
                new CommandConsumer(cq, 2, 1),
                interrupt,
                host,
                2,
                new DeviceHealth("emulator"));
    }

    private static MemorySegment queue() {
        return MemorySegment.ofArray(new long[(int) CommandQueueDescriptor.requiredLength(2) / Long.BYTES]);
    }

    /** The driver's thread. */
    @Actor
    public void driver(ZZ_Result result) {
        result.r1 = lane.requestInterrupt();
    }

    /** The engine's thread. */
    @Actor
    public void engine(ZZ_Result result) {
        engineLane.post(CommandType.STATUS_OK);
        engineLane.endTurn();
        result.r2 = raised;
    }
}
