// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationConsumer;
import io.pipedevice.active.operation.OperationProducer;
import io.pipedevice.active.operation.OperationRequest;
import io.pipedevice.jdk.Foreign;
import io.pipedevice.stress.PlayedQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/**
 * The owner of a region adds to a word of its memory, while PD Driver adds to it for another process, by a request in a
 * queue pair. Each sees the other's addition or not, and none is lost.
 *
 * <p>Seen to fail where WordOperations reads and writes the word by two instructions.
 */
@JCStressTest
@Outcome(id = "0, 1, 101", expect = Expect.ACCEPTABLE, desc = "The owner comes first.")
@Outcome(id = "100, 0, 101", expect = Expect.ACCEPTABLE, desc = "The driver comes first.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An addition was lost.")
@State
public class RegionAtomicsStress {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private final MemorySegment region = MemorySegment.ofArray(new long[1]);
    private final PlayedQueue queue = new PlayedQueue();
    private final OperationProducer process = queue.process;
    private final OperationConsumer driver = queue.driver;
    private final OperationRequest request = new OperationRequest();

    /** Posts the request before the others begin. */
    public RegionAtomicsStress() {
        process.post(OperationCode.FETCH_AND_ADD, 7, 0, 0, 0, 0, 0, 100, 0);
    }

    /** The owner's processor. */
    @Actor
    public void owner(JJJ_Result result) {
        result.r1 = (long) WORD.getAndAdd(region, 0L, 1L);
    }

    /** The driver's thread. */
    @Actor
    public void driver() {
        if (driver.take(request)) {
            driver.complete(request.id(), WordOperations.execute(request, region, 0), 0);
        }
    }

    /** The process that has posted the request. */
    @Arbiter
    public void process(JJJ_Result result) {
        result.r2 = process.poll() && process.id() == 7 ? process.value() : -1;
        result.r3 = (long) WORD.getVolatile(region, 0L);
    }
}
