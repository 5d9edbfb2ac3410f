// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.interpreter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.Assembler;
import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.RandomCode;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.ProgramRegion;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Random code, with the seed printed: {@code -Dpipedevice.test.seed=N} repeats it. */
class RandomCodeTest {
    private static final int FUEL = 500;
    private static final int LENGTH = 8;

    private final Helpers helpers = new Helpers(List.of(
            new Helper(1, "sum", List.of(), Helper.Result.NUMBER, (memory, a, b, c, d, e) -> a + b + c + d + e),
            new Helper(
                    2,
                    "length",
                    List.of(Helper.Argument.WRITABLE, Helper.Argument.LENGTH),
                    Helper.Result.NUMBER,
                    (memory, a, b, c, d, e) -> memory.writable(a, b).byteSize())));

    private final Random random = seeded();

    private static Random seeded() {
        long seed = Long.getLong("pipedevice.test.seed", System.nanoTime());
        System.out.println("-Dpipedevice.test.seed=" + seed);
        return new Random(seed);
    }

    private byte[] code() {
        return RandomCode.wild(random, 1 + random.nextInt(2), LENGTH);
    }

    @Test
    void aProgramIsRefusedOrEndsWithAResultOrAFault() {
        int refused = 0;
        int results = 0;
        int faults = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] code = code();
            try {
                Program program = Program.decode("random", code, RandomCode.DATA);
                CheckedMemory memory = new CheckedMemory(program, List.of(ProgramRegion.ofLength("memory", 64)));
                new Interpreter(program, helpers).run(memory, FUEL, memory.address(0), 64);
                results++;
            } catch (InvalidProgramException e) {
                assertTrue(e.getMessage().startsWith("instruction "), e::getMessage);
                refused++;
            } catch (FaultException e) {
                // an exception that is not of the machine is one of the interpreter
                assertTrue(!e.getMessage().contains("Exception") && e.slot() < code.length / 8, e::getMessage);
                assertEquals(Instruction.REGISTERS, e.registers().length);
                faults++;
            }
        }
        String counts = refused + " refused, " + results + " results, " + faults + " faults";
        System.out.println("random code: " + counts);
        assertTrue(refused > 100 && results > 100 && faults > 100, counts);
    }

    @Test
    void whatIsPrintedIsTheSameCode() {
        int read = 0;
        while (read < 200) {
            byte[] code = code();
            try {
                String text = Program.decode("random", code, RandomCode.DATA).instructions().stream()
                        .map(Instruction::toString)
                        .collect(Collectors.joining(";"));
                assertArrayEquals(code, Assembler.assemble(text), text);
                read++;
            } catch (InvalidProgramException e) {
                assertTrue(e.getMessage().startsWith("instruction "), e::getMessage);
            }
        }
    }
}
