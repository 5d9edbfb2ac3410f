// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.memory.ArmWord;
import io.pipedevice.memory.DriverPageDescriptor;
import io.pipedevice.memory.LibPageDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The sleep and wake protocol of a socket: the driver publishes what it produced and looks for an arm word, as its duty
 * cycle does with one fence for all sockets; the reader arms, and looks once more. (false, false) is the bug, a lost
 * wake-up: data is there, no doorbell rings, and the reader blocks. It appears when either fence is removed.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The driver sees the sleeper, and rings.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The reader sees the data, and stays awake.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: one ring too many, which costs only time.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class ArmWordStress {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment drivers =
            MemorySegment.ofArray(new long[DriverPageDescriptor.SLOT_LENGTH / Long.BYTES]);
    private final MemorySegment libs = MemorySegment.ofArray(new long[LibPageDescriptor.SLOT_LENGTH / Long.BYTES]);
    private final Slot slot = new Slot(drivers, 0, libs, 0);

    /** PD Driver: publishes, then looks whether to ring. */
    @Actor
    public void driver(ZZ_Result result) {
        slot.produced(100);
        VarHandle.fullFence();
        result.r1 = (ArmWord.interest(slot.readArm()) & ArmWord.IN) != 0;
    }

    /** PD Lib: arms, then looks whether to block. */
    @Actor
    public void reader(ZZ_Result result) {
        WORD.setRelease(libs, (long) LibPageDescriptor.READ_ARM_OFFSET, ArmWord.of(1, 2, ArmWord.IN));
        VarHandle.fullFence();
        result.r2 = (long) WORD.getAcquire(drivers, (long) DriverPageDescriptor.PRODUCED_OFFSET) != 0;
    }
}
