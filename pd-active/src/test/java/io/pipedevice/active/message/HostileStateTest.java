// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.message.MessageRun.State;
import io.pipedevice.active.operation.OperationCode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A state that another process has made is refused, or harms only its own run. */
class HostileStateTest {
    private static final int SECONDS = Integer.getInteger("pipedevice.test.random.seconds", 1);
    private static final long SEED = Long.getLong("pipedevice.test.seed", System.nanoTime());
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final long FUEL = 1000;
    private static final int STATES = 20;

    /** A run that does not end fails. */
    private static final Duration ENDLESS = Duration.ofSeconds(60L + SECONDS);

    /** The current seed; written by the thread that runs programs. */
    private volatile long seed;

    /** It reads into the stack, in a function that another one has called. */
    private static final String TEXT = """
            r9 = r1; r6 = 7; *(u64 *)(r10 - 8) = 1; r1 = r10; r1 += -8; call local inner; r0 += r6; exit
            inner:
            r8 = r1; r7 = 5; r3 = r1; r1 = 1; r2 = 8; r4 = 8; call 1
            r0 = *(u64 *)(r8 + 0); r0 += r7; exit
            """;

    private final LocalRegions local = LocalRegions.of(2, 64);
    private final LocalRegions regions = new LocalRegions(operation -> true, local.region(0), local.region(1));
    private final MemorySegment state = Arena.ofAuto().allocate(1024, 8);
    private MessageRun run;
    private int length;

    @BeforeEach
    void saveAGoodState() throws Exception {
        local.region(1).set(LONG, 8, 100);
        run = new MessageRun(MessageFunctions.function(TEXT));
        run.begin();
        assertEquals(State.WAITS, run.run(regions, FUEL));
        length = run.save(state, 0);
        assertEquals(run.function().stateLength(), length);
    }

    private void assertRefused(String reason) {
        String message = assertThrows(InvalidStateException.class, () -> run.load(state, 0, length))
                .getMessage();
        assertTrue(message.contains(reason), message);
        assertThrows(IllegalStateException.class, () -> run.run(regions, FUEL));
    }

    @Test
    void aGoodStateGoesOn() throws Exception {
        assertEquals(State.WAITS, run.load(state, 0, length));
        regions.complete(run.operation());
        assertEquals(State.ENDED, run.run(regions, FUEL));
        assertEquals(112, run.result());
    }

    @Test
    void aPlaceWhereNoStretchBeginsIsRefused() {
        state.set(INT, 0, 1);
        assertRefused("stopped where it cannot");
    }

    @Test
    void aPlaceOutsideOfTheProgramIsRefused() {
        state.set(INT, 0, -1);
        assertRefused("stopped where it cannot");
        state.set(INT, 0, 1 << 20);
        assertRefused("stopped where it cannot");
    }

    @Test
    void aPlaceInAnotherFunctionIsRefused() {
        state.set(INT, 0, 0);
        assertRefused("stopped where it cannot");
    }

    @Test
    void aReturnToWhereNothingWasCalledIsRefused() {
        state.set(LONG, MessageStateDescriptor.FIXED * 8, 0);
        assertRefused("nothing was called");
    }

    @Test
    void tooManyFunctionsAreRefused() {
        state.set(ValueLayout.JAVA_BYTE, 4, (byte) 8);
        assertRefused("too deep");
    }

    @Test
    void anUnknownKindIsRefused() {
        state.set(ValueLayout.JAVA_BYTE, 5, (byte) 2);
        assertRefused("unknown kind");
    }

    @Test
    void anotherLengthIsRefused() {
        length -= 8;
        assertRefused("too short");
        length += 16;
        assertRefused("too long");
        length = 40;
        assertRefused("too short");
    }

    @Test
    void anotherOperationThanTheFunctionsIsRefused() {
        state.set(INT, MessageStateDescriptor.CODE_AND_REGION * 8, OperationCode.WRITE);
        assertRefused("another operation");
    }

    @Test
    void aRegionThatTheFunctionHasNotIsRefused() {
        state.set(INT, MessageStateDescriptor.CODE_AND_REGION * 8 + 4, 2);
        assertRefused("no region 2");
        state.set(INT, MessageStateDescriptor.CODE_AND_REGION * 8 + 4, -1);
        assertRefused("no region -1");
    }

    @Test
    void memoryOutsideOfTheRunIsRefused() {
        state.set(LONG, MessageStateDescriptor.ADDRESS * 8, 4096);
        assertRefused("where there is no memory");
    }

    @Test
    void moreBytesThanTheMemoryHasAreRefused() {
        state.set(LONG, MessageStateDescriptor.OPERAND * 8, 513);
        assertRefused("write of 513 bytes");
        state.set(LONG, MessageStateDescriptor.OPERAND * 8, -1);
        assertRefused("write of -1 bytes");
    }

    @Test
    void moreInstructionsThanACallMayHaveAreRefused() {
        state.set(LONG, MessageStateDescriptor.USED * 8, MessageFunction.MAX_FUEL + 1);
        assertRefused("more instructions");
        state.set(LONG, MessageStateDescriptor.USED * 8, -1);
        assertRefused("more instructions");
    }

    @Test
    void anInvalidAddressInARegisterIsAFault() throws Exception {
        state.set(LONG, MessageStateDescriptor.SAVED * 8 + 16, 1L << 50);
        assertEquals(State.WAITS, run.load(state, 0, length));
        regions.complete(run.operation());
        assertEquals(State.FAILED, run.run(regions, FUEL));
        assertEquals(MessageRun.FAULT, run.status());
        assertTrue(
                run.fault().getMessage().contains("where there is no memory"),
                run.fault().getMessage());
    }

    @Test
    void whateverTheStateIsARunEndsInItsMemory() {
        assertTimeoutPreemptively(ENDLESS, this::runAll, () -> "-Dpipedevice.test.seed=" + seed);
    }

    private void runAll() throws Exception {
        System.out.println("hostile states: -Dpipedevice.test.seed=" + SEED);
        int loaded = 0;
        int states = 0;
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        for (int i = 0; i < 20 || System.nanoTime() < end; i++) {
            seed = SEED + i;
            loaded += attack(seed);
            states += STATES;
        }
        System.out.println("hostile states: " + states + ", of which " + loaded + " were loaded");
        assertTrue(loaded > states / 20, "too few states are loaded");
    }

    /** The number of states of a random function that were loaded. */
    private static int attack(long seed) throws Exception {
        Random random = new Random(seed);
        Program program = RandomFunction.of(random);
        MessageFunction function = random.nextInt(4) == 0
                ? MessageFunction.interpreted(program, 64, 2, FUEL)
                : MessageFunction.of(program, 64, 2, FUEL);
        int loaded = 0;
        for (int i = 0; i < STATES; i++) {
            loaded += attack(random, function) ? 1 : 0;
        }
        return loaded;
    }

    private static boolean attack(Random random, MessageFunction function) {
        LocalRegions all = LocalRegions.of(2, 64);
        LocalRegions later = new LocalRegions(operation -> random.nextBoolean(), all.region(0), all.region(1));
        MessageRun run = new MessageRun(function);
        MemorySegment state = MemorySegment.ofArray(new long[1024]);
        run.begin();
        int steps = random.nextInt(4);
        State progress = run.run(later, 64 + random.nextInt(200));
        while (steps-- > 0 && progress == State.WAITS) {
            later.complete(run.operation());
            progress = run.run(later, 64 + random.nextInt(200));
        }
        if (progress != State.WAITS && progress != State.PAUSED) {
            return false;
        }
        int length = run.save(state, 0);
        for (int i = random.nextInt(4); i >= 0; i--) {
            corrupt(random, state, length);
        }
        MessageRun victim = new MessageRun(function);
        try {
            progress = victim.load(state, 0, length + (random.nextInt(20) == 0 ? 8 * random.nextInt(-2, 3) : 0));
        } catch (InvalidStateException e) {
            return false;
        }
        for (int turns = 0; turns < 1000; turns++) {
            if (progress == State.WAITS) {
                assertTrue(victim.operation().length() <= 512, victim.operation()::toString);
                later.complete(victim.operation());
            }
            progress = victim.run(later, 64);
            if (progress == State.ENDED || progress == State.FAILED) {
                return true;
            }
        }
        throw new AssertionError("the run does not end");
    }

    private static void corrupt(Random random, MemorySegment state, int length) {
        long word = 8L * random.nextInt(length / 8);
        switch (random.nextInt(4)) {
            case 0 -> state.set(LONG, word, random.nextLong());
            case 1 -> state.set(LONG, word, state.get(LONG, word) + random.nextInt(-70, 70));
            case 2 -> state.set(LONG, word, random.nextLong(4) << 40 | random.nextInt(600));
            default -> state.set(ValueLayout.JAVA_BYTE, random.nextInt(length), (byte) random.nextInt());
        }
    }
}
