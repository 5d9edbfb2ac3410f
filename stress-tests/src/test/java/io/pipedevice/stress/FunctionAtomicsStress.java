// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.stress;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.verifier.UnsafeProgramException;
import io.pipedevice.active.code.FunctionCode;
import io.pipedevice.active.code.RegionMemory;
import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.active.message.MessageRun;
import io.pipedevice.active.message.RegionAccess;
import io.pipedevice.active.message.RegionOperation;
import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.HexFormat;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/**
 * A function adds to a word of a region at the device, and another call of it at the host. Each sees the other's
 * addition or not, and none is lost.
 *
 * <p>Seen to fail where RegionMemory reads and writes the word by two instructions.
 */
@JCStressTest
@Outcome(id = "0, 1, 101", expect = Expect.ACCEPTABLE, desc = "The host comes first.")
@Outcome(id = "100, 0, 101", expect = Expect.ACCEPTABLE, desc = "The device comes first.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An addition was lost.")
@State
public class FunctionAtomicsStress {
    /** pd_fetch_and_add(0, 0, the first word of the message). */
    private static final String CODE =
            "7913000000000000" + "b701000000000000" + "b702000000000000" + "8500000006000000" + "9500000000000000";

    private static final MessageFunction FUNCTION = function();
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    /** One for each thread, because there are many regions. */
    private static final ThreadLocal<MessageRun> RUNS = ThreadLocal.withInitial(() -> new MessageRun(FUNCTION));

    private final MemorySegment region = MemorySegment.ofArray(new long[1]);

    private static MessageFunction function() {
        try {
            return FunctionCode.of(HexFormat.of().parseHex(CODE), "", Long.BYTES, 1, 1000)
                    .function();
        } catch (InvalidProgramException | UnsafeProgramException e) {
            throw new IllegalStateException(e);
        }
    }

    private long call(long delta) {
        MessageRun run = RUNS.get();
        run.message().set(ValueLayout.JAVA_LONG, 0, delta);
        run.begin();
        MessageRun.State state = run.run(
                new RegionAccess() {
                    @Override
                    public long size(int number) {
                        return Long.BYTES;
                    }

                    @Override
                    public boolean execute(RegionOperation operation) {
                        RegionMemory.execute(operation, region, Long.BYTES);
                        return true;
                    }
                },
                1000);
        return state == MessageRun.State.ENDED ? run.result() : -1;
    }

    /** A thread of the owner. */
    @Actor
    public void host(JJJ_Result result) {
        result.r1 = call(1);
    }

    /** The driver's thread. */
    @Actor
    public void device(JJJ_Result result) {
        result.r2 = call(100);
    }

    /** The region afterwards. */
    @Arbiter
    public void afterwards(JJJ_Result result) {
        result.r3 = (long) WORD.getVolatile(region, 0L);
    }
}
