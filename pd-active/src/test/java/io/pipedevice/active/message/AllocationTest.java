// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.pipedevice.active.message.MessageRun.State;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages, and stops of them, create no objects. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AllocationTest {
    private static final int ROUNDS = 100;
    private static final int MESSAGES = 1000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final LocalRegions local = LocalRegions.of(2, 64);
    private final LocalRegions regions =
            new LocalRegions(operation -> operation.region() == 1, local.region(0), local.region(1));
    private final MemorySegment state = Arena.ofAuto().allocate(1024, 8);

    private MessageRun message(MessageRun first, MessageRun second) throws InvalidStateException {
        MessageRun run = first;
        run.begin();
        State progress = run.run(regions, 64);
        while (progress != State.ENDED) {
            int length = run.save(state, 0);
            run = run == first ? second : first;
            if (run.load(state, 0, length) == State.WAITS) {
                regions.complete(run.operation());
            }
            progress = run.run(regions, 64);
        }
        return run;
    }

    @Test
    void aMessageThatIsMovedCreatesNoObjects() throws Exception {
        MessageFunction function = MessageFunctions.function("""
                r9 = r1; r6 = 40
                again:
                *(u64 *)(r10 - 8) = r6; r3 = r10; r3 += -8; r1 = 1; r2 = 8; r4 = 8; call 2
                r3 = r9; r1 = 0; r2 = 0; r4 = 16; call 1
                r1 = 0; r2 = 0; r3 = 1; call 6
                r6 += -1; if r6 != 0 goto again
                r0 = 7; exit
                """);
        MessageRun first = new MessageRun(function);
        MessageRun second = new MessageRun(function);
        long least = Long.MAX_VALUE;
        // the JVM creates objects before it has compiled accesses to memory segments
        for (int i = 0; i < ROUNDS && least > 0; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int j = 0; j < MESSAGES; j++) {
                assertEquals(7, message(first, second).result());
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(0, least);
    }
}
