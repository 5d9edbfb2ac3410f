// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.compiler.CompiledProgram;
import io.pipedevice.active.bpf.interpreter.Interpreter;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helper.Argument;
import io.pipedevice.active.bpf.machine.Helper.Result;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.ProgramRegion;
import io.pipedevice.active.bpf.machine.RunnableProgram;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What the verifier says about random programs is true in all runs: none faults, and each register is in what is known
 * about it. {@code -Dverifier.seconds} and {@code -Dverifier.seed} choose how long, and where to begin.
 */
class SoundnessTest {
    private static final int LEAST = 8;
    private static final int MOST = 24;
    private static final int FOUND = 16;
    private static final int RUNS = 4;
    private static final int STEPS = 120;
    private static final long ENOUGH = 20_000;

    /** More than nested loops take that have ever been generated: 32,768 times 32,768 iterations were. */
    private static final long PLENTY = 1L << 35;

    private static final long REGION = 1L << 40;

    private static final Helpers HELPERS = new Helpers(List.of(
            new Helper(
                    RandomProgram.HELPER_NUMBER,
                    "number",
                    List.of(Argument.NUMBER),
                    Result.NUMBER,
                    (memory, a, b, c, d, e) -> a * 31),
            new Helper(
                    RandomProgram.HELPER_READ,
                    "read",
                    List.of(Argument.READABLE, Argument.LENGTH),
                    Result.NUMBER,
                    (memory, a, b, c, d, e) -> memory.readable(a, b).byteSize()),
            new Helper(
                    RandomProgram.HELPER_FILL,
                    "fill",
                    List.of(Argument.WRITABLE, Argument.LENGTH),
                    Result.NUMBER,
                    (memory, a, b, c, d, e) ->
                            memory.writable(a, b).fill((byte) 0x5a).byteSize()),
            new Helper(
                    RandomProgram.HELPER_FIND,
                    "find",
                    List.of(Argument.NUMBER),
                    Result.memoryOrNull(FOUND, true),
                    (memory, a, b, c, d, e) -> (a & 1) == 0 ? 0 : memory.address(1))));

    private static final Conditions CONDITIONS = Conditions.ofMemory(HELPERS, LEAST, MOST);

    private int accepted;

    @Test
    void acceptedProgramsDoWhatTheVerifierSays() {
        long seconds = Long.getLong("verifier.seconds", 2);
        long seed = Long.getLong("verifier.seed", System.nanoTime());
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        int count = 0;
        while (count < 200 || System.nanoTime() < end) {
            check(seed + count);
            count++;
        }
        System.out.println("seeds from " + seed + ": " + accepted + " of " + count + " programs accepted");
        assertTrue(accepted > count / 20, accepted + " of " + count);
    }

    private void check(long seed) {
        Random random = new Random(seed);
        byte[] code = RandomProgram.of(random);
        List<List<State>> states = new ArrayList<>();
        Program program;
        VerifiedProgram verified;
        try {
            program = Program.decode("seed " + seed, code);
            program.instructions().forEach(each -> states.add(new ArrayList<>()));
            verified = Verifier.verify(
                    program, CONDITIONS, (index, state) -> states.get(index).add(state.copy()));
        } catch (InvalidProgramException | UnsafeProgramException e) {
            return;
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e, e);
        }
        accepted++;
        for (int run = 0; run < RUNS; run++) {
            run(verified, states, random.nextLong(), "seed " + seed);
        }
    }

    private static void run(VerifiedProgram verified, List<List<State>> states, long seed, String name) {
        Program program = verified.program();
        FaultException whole = fault(Interpreter::new, program, ENOUGH, seed);
        if (whole != null && !isFuel(whole)) {
            fail(name + ": " + whole.getMessage() + text(program));
        }
        if (whole != null && !verified.needsFuel() && fault(CompiledProgram::new, program, PLENTY, seed) != null) {
            fail(name + ": it does not end" + text(program));
        }
        for (int fuel = 1; fuel < STEPS; fuel++) {
            FaultException stopped = fault(Interpreter::new, program, fuel, seed);
            if (stopped == null) {
                return;
            }
            int index = index(program, stopped.slot());
            List<State> known = states.get(index).reversed();
            if (known.stream().noneMatch(state -> contains(program, state, stopped.registers(), seed))) {
                String last = known.isEmpty() ? "unreachable" : known.getFirst().toString();
                fail(name + ": " + stopped.getMessage() + " is not in " + last + text(program));
            }
        }
    }

    private static boolean isFuel(FaultException fault) {
        return fault.getMessage().contains("has not ended after");
    }

    private static int index(Program program, int slot) {
        return IntStream.range(0, program.instructions().size())
                .filter(i -> program.instructions().get(i).slot() == slot)
                .findFirst()
                .orElseThrow();
    }

    private static String text(Program program) {
        return program.disassembly().collect(Collectors.joining("\n", "\n", ""));
    }

    private static long length(long seed) {
        return LEAST + Math.floorMod(seed, MOST - LEAST + 1L);
    }

    /** What runs a program. */
    private interface Way {
        RunnableProgram of(Program program, Helpers helpers) throws InvalidProgramException;
    }

    private static FaultException fault(Way way, Program program, long fuel, long seed) {
        byte[] bytes = new byte[(int) length(seed)];
        new Random(seed).nextBytes(bytes);
        CheckedMemory memory = new CheckedMemory(
                program, List.of(ProgramRegion.ofBytes("memory", bytes), ProgramRegion.ofLength("found", FOUND)));
        try {
            way.of(program, HELPERS).run(memory, fuel, memory.address(0), bytes.length);
            return null;
        } catch (FaultException e) {
            return e;
        } catch (InvalidProgramException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean contains(Program program, State state, long[] registers, long seed) {
        long[] numbers = new long[Zone.VARIABLES];
        for (int i = 0; i < Instruction.REGISTERS; i++) {
            if (!contains(program, state.register(i), registers[i])) {
                return false;
            }
            numbers[i] = state.register(i) instanceof Pointer pointer && registers[i] != 0
                    ? registers[i] - base(program, pointer.place())
                    : registers[i];
        }
        numbers[State.FIRST_LENGTH] = length(seed);
        if (!state.length(0).contains(length(seed))) {
            return false;
        }
        for (int a = 0; a <= State.FIRST_LENGTH; a++) {
            for (int b = 0; b <= State.FIRST_LENGTH; b++) {
                boolean isKnown = a != State.UNSHIFTED && b != State.UNSHIFTED;
                long bound = state.zone.bound(a, b);
                if (isKnown && bound != Zone.NONE && isLarger(numbers[a], numbers[b], bound)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isLarger(long a, long b, long bound) {
        return BigInteger.valueOf(a).subtract(BigInteger.valueOf(b)).compareTo(BigInteger.valueOf(bound)) > 0;
    }

    private static boolean contains(Program program, Value value, long register) {
        return switch (value) {
            case Unusable unusable -> true;
            case Num number -> number.contains(register);
            case Pointer pointer ->
                register == 0
                        ? pointer.mayBeNull()
                        : pointer.offset().contains(register - base(program, pointer.place()));
        };
    }

    private static long base(Program program, PointerTarget place) {
        return switch (place.kind()) {
            case PARAMETER -> REGION;
            case RESULT -> 2 * REGION;
            case CONSTANTS -> (place.index() + 3) * REGION;
            case STACK -> (program.data().size() + place.index() + 3) * REGION;
        };
    }
}
