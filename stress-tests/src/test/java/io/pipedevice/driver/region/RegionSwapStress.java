// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationRequest;
import io.pipedevice.jdk.Foreign;
import io.pipedevice.stress.PlayedQueue;
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
 * A lock in a region: its owner and PD Driver, for another process, swap a free word for their own mark. One of them
 * has the lock.
 *
 * <p>Seen to fail where WordOperations compares and writes by two instructions.
 */
@JCStressTest
@Outcome(
        id = {"true, false", "false, true"},
        expect = Expect.ACCEPTABLE,
        desc = "One has the lock.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both have the lock, or none.")
@State
public class RegionSwapStress {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private final MemorySegment region = MemorySegment.ofArray(new long[1]);
    private final PlayedQueue queue = new PlayedQueue();
    private final OperationRequest request = new OperationRequest();

    /** Posts the request before the others begin. */
    public RegionSwapStress() {
        queue.process.post(OperationCode.COMPARE_AND_SWAP, 7, 0, 0, 0, 0, 0, 0, 2);
        queue.driver.take(request);
    }

    /** The owner's processor. */
    @Actor
    public void owner(ZZ_Result result) {
        result.r1 = WORD.compareAndSet(region, 0L, 0L, 1L);
    }

    /** The driver's thread. */
    @Actor
    public void driver(ZZ_Result result) {
        result.r2 = WordOperations.execute(request, region, 0) == 0;
    }
}
