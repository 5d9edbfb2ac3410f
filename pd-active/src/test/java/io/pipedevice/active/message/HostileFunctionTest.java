// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.verifier.UnsafeProgramException;
import io.pipedevice.active.message.MessageRun.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions that are made to do harm are refused with a sentence, or stopped. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileFunctionTest {
    private static final long FUEL = 10_000;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // out of the message
                "r0 = *(u64 *)(r1 + 57); exit | the load of 8 bytes at offset 57 may leave 'message', which has",
                "*(u8 *)(r1 - 1) = 0; r0 = 0; exit | may begin 1 byte before 'message'",
                "r3 = *(u64 *)(r1 + 0); r1 += r3; r0 = *(u8 *)(r1 + 0); exit | may be anywhere",
                "r3 = *(u8 *)(r1 + 0); r1 += r3; r0 = *(u8 *)(r1 + 0); exit | may leave 'message'",
                // what another one has left on the stack
                "r0 = *(u64 *)(r10 - 8); exit | bytes of 'stack0' that were not written",
                "r3 = r10; r3 += -8; r1 = 0; r2 = 0; r4 = 8; call 2; r0 = 0; exit | bytes of 'stack0' that were not written",
                "r0 = r6; exit | r6 has not been set",
                "call 8; r0 = r3; exit | r3 has not been set",
                // addresses
                "r0 = r1; exit | an address",
                "r0 = r10; exit | an address",
                "*(u64 *)(r1 + 0) = r1; r0 = 0; exit | it would store the address in r1 in 'message', which others can read",
                "r3 = r1; r1 = 0; r2 = 0; call 4; exit | r3 is an address, but 'pd_put' takes a number there",
                "r4 = r10; r1 = 0; r2 = 0; r3 = 0; call 5; exit | r4 is an address",
                "r2 = r1; r1 = 0; call 3; exit | r2 is an address, but 'pd_get' takes a number there",
                "*(u64 *)(r10 - 8) = r1; r3 = r10; r3 += -8; r1 = 0; r2 = 0; r4 = 8; call 2; exit | an address",
                "*(u64 *)(r10 - 8) = r1; r3 = r10; r3 += -8; r1 = 0; r2 = 0; r4 = 4; call 1; exit | a part of an address",
                "lock *(u64 *)(r1 + 0) += r10; r0 = 0; exit | it would store the address in r10 by an atomic operation",
                // lengths
                "r4 = *(u64 *)(r1 + 0); r3 = r1; r1 = 0; r2 = 0; call 1; exit | the length in r4 may be negative",
                "r4 = *(u8 *)(r1 + 0); r3 = r1; r1 = 0; r2 = 0; call 1; exit | may leave 'message'",
                "r4 = -1; r3 = r1; r1 = 0; r2 = 0; call 2; exit | the length in r4 may be negative",
                "r4 = r1; r3 = r1; r1 = 0; r2 = 0; call 2; exit | r4 is an address and not a length",
                "r3 = r10; r3 += -8; r1 = 0; r2 = 0; r4 = 9; call 1; exit | may leave 'stack0'",
                "r3 = 4096; r1 = 0; r2 = 0; r4 = 8; call 1; exit | r3 is a number and not an address",
                // calls
                "r0 = 0; call local again; exit; again:; call local again; exit | would call itself",
                "r1 = 9; callx r1; exit | there is no helper with the number 9"
            })
    void aFunctionThatMayDoHarmIsRefused(String text, String reason) {
        String message = assertThrows(UnsafeProgramException.class, () -> MessageFunctions.function(text))
                .getMessage();
        assertTrue(message.contains(reason), message);
    }

    @Test
    void aHelperThatThereIsNotIsRefused() {
        String message = assertThrows(InvalidProgramException.class, () -> MessageFunctions.function("call 9; exit"))
                .getMessage();
        assertEquals("instruction 0: there is no helper with the number 9", message);
    }

    /** The turns of a message until it fails. */
    private static int turns(MessageRun run, LocalRegions regions) {
        run.begin();
        int turns = 1;
        for (State progress = run.run(regions, 100); progress != State.FAILED; progress = run.run(regions, 100)) {
            if (progress == State.WAITS) {
                regions.complete(run.operation());
            }
            turns++;
        }
        return turns;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "goto -1",
                "again:; *(u64 *)(r1 + 0) = 1; r3 = *(u64 *)(r1 + 8); goto again",
                "again:; call 8; goto again",
                "r6 = 0; again:; r1 = 0; r2 = 0; r3 = 1; call 6; goto again",
                "again:; call local inner; goto again; inner:; r0 = 0; exit",
                "call local inner; exit; inner:; goto -1",
            })
    void aLoopWithoutAnEndIsStopped(String text) throws Exception {
        MessageFunction function = MessageFunction.of(MessageFunctions.program(text), 64, 2, FUEL);
        for (boolean waits : new boolean[] {false, true}) {
            LocalRegions all = LocalRegions.of(2, 64);
            MessageRun run = new MessageRun(function);
            int turns = turns(run, new LocalRegions(operation -> waits, all.region(0), all.region(1)));
            assertTrue(turns >= FUEL / 100, () -> turns + " turns");
            assertEquals(MessageRun.FAULT, run.status());
            String message = run.fault().getMessage();
            assertTrue(message.contains("the program has not ended after " + run.used() + " instructions"), message);
            assertTrue(run.used() > FUEL - 64 && run.used() <= FUEL, message);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 63, 64, 65, 1000})
    void theLimitOfACallIsExact(long loops) throws Exception {
        String text = "r6 = " + loops + "; again:; r6 += -1; if r6 != 0 goto again; r0 = 7; exit";
        long needed = 1 + 2 * loops + 2;
        for (long turn : new long[] {64, FUEL}) {
            assertEquals(State.ENDED, end(text, needed, turn));
            assertEquals(State.FAILED, end(text, needed - 1, turn));
        }
    }

    private static State end(String text, long fuel, long turn) throws Exception {
        MessageRun run = new MessageRun(MessageFunction.of(MessageFunctions.program(text), 64, 0, fuel));
        run.begin();
        State progress = State.PAUSED;
        while (progress == State.PAUSED) {
            progress = run.run(LocalRegions.of(0, 0), turn);
        }
        return progress;
    }
}
