// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import static io.pipedevice.active.message.MessageFunctions.function;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.verifier.UnsafeProgramException;
import io.pipedevice.active.operation.OperationStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What functions do in regions, where operations are executed at once. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MessageRunTest {
    private static final long FUEL = 1000;

    private final LocalRegions regions = LocalRegions.of(2, 64);

    private MessageRun run(String text, MessageRun.State end) throws Exception {
        MessageRun run = new MessageRun(function(text));
        run.begin();
        assertEquals(end, run.run(regions, FUEL));
        return run;
    }

    private long result(String text) throws Exception {
        return run(text, MessageRun.State.ENDED).result();
    }

    private int failure(String text) throws Exception {
        return run(text, MessageRun.State.FAILED).status();
    }

    @Test
    void aReadCopiesToTheMessage() throws Exception {
        regions.region(1).set(ValueLayout.JAVA_LONG, 16, 77);
        MessageRun run = run("r3 = r1; r3 += 8; r1 = 1; r2 = 16; r4 = 8; call 1; exit", MessageRun.State.ENDED);
        assertEquals(0, run.result());
        assertEquals(77, run.message().get(ValueLayout.JAVA_LONG, 8));
    }

    @Test
    void aWriteCopiesFromTheStack() throws Exception {
        assertEquals(0, result("*(u64 *)(r10 - 8) = 5; r3 = r10; r3 += -8; r1 = 0; r2 = 3; r4 = 8; call 2; exit"));
        assertEquals(5, regions.region(0).get(ValueLayout.JAVA_LONG_UNALIGNED, 3));
    }

    @Test
    void wordsAreReadWrittenSwappedAndAdded() throws Exception {
        assertEquals(0, result("r1 = 0; r2 = 8; r3 = 40; call 4; exit"));
        assertEquals(40, result("r1 = 0; r2 = 8; r3 = 2; call 6; exit"));
        assertEquals(42, result("r1 = 0; r2 = 8; r3 = 42; r4 = 7; call 5; exit"));
        assertEquals(7, result("r1 = 0; r2 = 8; r3 = 42; r4 = 9; call 5; exit"));
        assertEquals(7, result("r1 = 0; r2 = 8; call 3; exit"));
    }

    @Test
    void aRegionHasASize() throws Exception {
        assertEquals(64, result("r1 = 1; call 7; exit"));
    }

    @Test
    void anOperationThatFailsEndsTheRunWithItsStatus() throws Exception {
        assertEquals(OperationStatus.RANGE, failure("r1 = 0; r2 = 64; call 3; exit"));
        assertEquals(OperationStatus.RANGE, failure("r1 = 0; r2 = -8; call 3; exit"));
        assertEquals(OperationStatus.ALIGNMENT, failure("r1 = 0; r2 = 4; call 3; exit"));
        assertEquals(OperationStatus.NO_REGION, failure("r1 = 2; r2 = 0; call 3; exit"));
        assertEquals(OperationStatus.NO_REGION, failure("r1 = -1; call 7; exit"));
    }

    /** What lies in the place of an operation are its registers, also where its state was saved and loaded. */
    @Test
    void aMessageThatWasPausedHasNoOperation() throws Exception {
        MessageRun run = run("r0 = 7; exit", MessageRun.State.ENDED);
        assertThrows(IllegalStateException.class, run::operation);
        run.begin();
        assertThrows(IllegalStateException.class, run::operation);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment saved = arena.allocate(run.function().stateLength(), Long.BYTES);
            int length = run.save(saved, 0);
            assertEquals(MessageRun.State.PAUSED, run.load(saved, 0, length));
        }
        assertThrows(IllegalStateException.class, run::operation);
        assertEquals(MessageRun.State.ENDED, run.run(regions, MessageRun.LEAST_FUEL));
    }

    @Test
    void anOperationOutsideOfTheMessageIsRefused() {
        assertRefused("r3 = r1; r3 += 60; r1 = 0; r2 = 0; r4 = 8; call 1; exit", "may leave 'message'");
        assertRefused("r3 = r1; r3 += -1; r1 = 0; r2 = 0; r4 = 8; call 1; exit", "before 'message'");
        assertRefused("r4 = r2; r3 = r1; r1 = 0; r2 = 0; r4 += 1; call 2; exit", "may leave 'message'");
    }

    private static void assertRefused(String text, String reason) {
        String message =
                assertThrows(UnsafeProgramException.class, () -> function(text)).getMessage();
        assertTrue(message.contains(reason), message);
    }
}
