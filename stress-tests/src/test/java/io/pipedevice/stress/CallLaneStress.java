// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.stress;

import io.pipedevice.active.operation.CallLane;
import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.operation.ReturnPageDescriptor;
import io.pipedevice.active.operation.ServerLane;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * PD Driver hands three calls to a lane of depth 2, the third when one has come back, while a thread of the owner takes
 * and returns them: each call and each return arrives once and whole, with its message. -1 is the bug: a call or a
 * return that was torn. It appears when the stamp of a call is stored before the other words.
 */
@JCStressTest
@Outcome(id = "[2-3], [2-3]", expect = Expect.ACCEPTABLE, desc = "All that was handed over was taken, and came back.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A call or a return was lost, torn, or taken twice.")
@State
public class CallLaneStress {
    private static final int DEPTH = 2;
    private static final int ROOM = 64;

    private final MemorySegment calls = words(CallPageDescriptor.length(1, DEPTH, ROOM));
    private final MemorySegment returns = words(ReturnPageDescriptor.length(1, DEPTH, ROOM));
    private final CallLane driver = new CallLane(calls, returns, DEPTH, ROOM, 0);
    private final ServerLane owner = new ServerLane(calls, returns, DEPTH, ROOM, 0);
    private int posted;
    private int taken;
    private int returned;

    private static MemorySegment words(long bytes) {
        return MemorySegment.ofArray(new long[(int) (bytes / Long.BYTES)]);
    }

    private void post() {
        if (driver.hasRoom()) {
            int number = posted + 1;
            calls.set(ValueLayout.JAVA_LONG, driver.message(), number);
            driver.post(number, number, number, number, number);
            posted = number;
        }
    }

    private void takeBack() {
        if (driver.take()) {
            int number = returned + 1;
            boolean whole = driver.number() == number
                    && driver.result() == number
                    && driver.status() == number
                    && driver.stateLength() == number
                    && driver.delayNs() == number
                    && returns.get(ValueLayout.JAVA_LONG, driver.returned()) == number;
            returned = whole ? number : -1;
        }
    }

    private void serve() {
        if (owner.take()) {
            int number = taken + 1;
            boolean whole = owner.number() == number
                    && owner.function() == number
                    && owner.stateLength() == number
                    && owner.postedNs() == number
                    && owner.flags() == number
                    && calls.get(ValueLayout.JAVA_LONG, owner.message()) == number;
            taken = whole ? number : -1;
            returns.set(ValueLayout.JAVA_LONG, owner.returned(), number);
            owner.post(owner.number(), number, number, number, number);
        }
    }

    /** The driver. */
    @Actor
    public void driver() {
        post();
        post();
        takeBack();
        post();
    }

    /** The owner's thread. */
    @Actor
    public void owner() {
        serve();
        serve();
    }

    /** Both do the rest. */
    @Arbiter
    public void rest(II_Result result) {
        for (int i = 0; i < DEPTH + 1; i++) {
            serve();
            takeBack();
        }
        boolean all = taken == posted && returned == posted;
        result.r1 = all ? taken : -1;
        result.r2 = all ? returned : -1;
    }
}
