// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.interpreter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.Assembler;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.ProgramRegion;
import io.pipedevice.active.bpf.machine.StackFrames;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What programs compute, by the sections of RFC 9669. Other ways to run programs inherit the tests. */
public class InterpreterTest {
    /** What runs one program. */
    @FunctionalInterface
    protected interface Engine {
        /** Runs the program from its first instruction to the end. */
        long run(CheckedMemory memory, long fuel, long r1, long r2) throws FaultException;
    }

    private static final long FUEL = 10_000;

    private final Helpers helpers = new Helpers(List.of(
            new Helper(
                    7,
                    "sum",
                    Collections.nCopies(Helper.MAX_ARGUMENTS, Helper.Argument.NUMBER),
                    Helper.Result.NUMBER,
                    (memory, a, b, c, d, e) -> a + b + c + d + e),
            new Helper(8, "broken", List.of(), Helper.Result.NUMBER, (memory, a, b, c, d, e) -> {
                throw new IllegalStateException("the helper is broken");
            })));

    private final ProgramRegion memory =
            ProgramRegion.ofBytes("memory", HexFormat.of().parseHex("8182838485868788f1f2f3f4f5f6f7f8"));

    /** Prepares what runs a program. */
    protected Engine engine(Program program, Helpers available) throws InvalidProgramException {
        return new Interpreter(program, available)::run;
    }

    private long run(String text, long fuel) throws InvalidProgramException, FaultException {
        Program program = Program.decode("test", Assembler.assemble(text));
        CheckedMemory whole = new CheckedMemory(program, List.of(memory));
        return engine(program, helpers).run(whole, fuel, whole.address(0), 16);
    }

    private void assertResult(long expected, String text) throws InvalidProgramException, FaultException {
        assertEquals(Long.toHexString(expected), Long.toHexString(run(text, FUEL)), text);
    }

    private FaultException fault(String text) {
        return assertThrows(FaultException.class, () -> run(text, FUEL), text);
    }

    private byte[] content() {
        return memory.segment().toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @CsvSource({
        "r0 += r3, 5, -7, -2",
        "w0 += w3, 5, -7, 0xfffffffe",
        "w0 += 1, 0x1ffffffff, 0, 0",
        "r0 -= 1, 0, 0, -1",
        "w0 -= 1, 0, 0, 0xffffffff",
        "r0 *= r3, 0x100000000, 0x100000001, 0x100000000",
        "w0 *= w3, 0x10001, 0x10001, 0x20001",
        "r0 /= r3, -2, 3, 0x5555555555555554", // unsigned
        "r0 /= -1, -2, 0, 0", // the immediate is sign-extended, then unsigned
        "w0 /= w3, -2, 3, 0x55555554",
        "r0 s/= r3, -7, 2, -3",
        "w0 s/= -2, 7, 0, 0xfffffffd",
        "r0 %= r3, -1, 10, 5",
        "w0 %= w3, -1, 10, 5",
        "r0 s%= r3, -7, 3, -1",
        "w0 s%= -3, 7, 0, 1",
        "r0 |= 256, 1, 0, 257",
        "r0 &= -2, -1, 0, -2",
        "w0 &= -2, -1, 0, 0xfffffffe",
        "r0 ^= r3, 5, 1, 4",
        "r0 = -r0, 5, 0, -5",
        "w0 = -w0, 5, 0, 0xfffffffb",
        "r0 <<= r3, 1, 65, 2", // only the low 6 bits count
        "w0 <<= w3, 1, 33, 2",
        "r0 >>= 1, -1, 0, 0x7fffffffffffffff",
        "w0 >>= 4, -1, 0, 0x0fffffff",
        "r0 s>>= 4, -256, 0, -16",
        "w0 s>>= 4, -256, 0, 0xfffffff0",
        "r0 = -1, 0, 0, -1",
        "w0 = -1, 0, 0, 0xffffffff",
        "w0 = w3, 0, -1, 0xffffffff",
        "r0 = (s8)r3, 0, 0x80, -128",
        "w0 = (s8)w3, 0, 0x80, 0xffffff80",
        "r0 = (s16)r3, 0, 0x8000, -32768",
        "w0 = (s16)w3, 0, 0x7fff, 0x7fff",
        "r0 = (s32)r3, 0, 0x80000000, -2147483648"
    })
    void arithmeticOfSection41(String instruction, String left, String right, String expected) throws Exception {
        assertResult(
                Long.decode(expected),
                "r0 = " + Long.decode(left) + " ll; r3 = " + Long.decode(right) + " ll; " + instruction + "; exit");
    }

    @ParameterizedTest
    @CsvSource({
        "r0 /= r3, 5, 0",
        "w0 /= w3, 5, 0",
        "r0 s/= r3, -5, 0",
        "w0 s/= 0, 5, 0",
        "r0 %= r3, -5, -5",
        "w0 %= w3, -5, 0xfffffffb", // the high half becomes 0
        "r0 s%= 0, -5, -5",
        "w0 s%= w3, -5, 0xfffffffb"
    })
    void divisionByZeroIsDefined(String instruction, String left, String expected) throws Exception {
        assertResult(Long.decode(expected), "r0 = " + left + "; r3 = 0; " + instruction + "; exit");
    }

    @Test
    void theLeastNumberByMinusOneIsDefined() throws Exception {
        assertResult(Long.MIN_VALUE, "r0 = " + Long.MIN_VALUE + " ll; r0 s/= -1; exit");
        assertResult(0x80000000L, "w0 = -2147483648; w0 s/= -1; exit");
        assertResult(0, "r0 = " + Long.MIN_VALUE + " ll; r0 s%= -1; exit");
        assertResult(0, "w0 = -2147483648; w0 s%= -1; exit");
    }

    @ParameterizedTest
    @CsvSource({
        "le16, 0x7788",
        "le32, 0x55667788",
        "le64, 0x1122334455667788",
        "be16, 0x8877",
        "be32, 0x88776655",
        "be64, 0x8877665544332211",
        "bswap16, 0x8877",
        "bswap32, 0x88776655",
        "bswap64, 0x8877665544332211"
    })
    void byteSwapsOfSection42(String operation, String expected) throws Exception {
        assertResult(
                Long.parseUnsignedLong(expected.substring(2), 16),
                "r0 = " + 0x1122334455667788L + " ll; r0 = " + operation + " r0; exit");
    }

    @ParameterizedTest
    @CsvSource({
        "==, 5, 5, true",
        "==, 5, 6, false",
        "!=, 5, 6, true",
        ">, -1, 1, true",
        ">, 1, 1, false",
        ">=, 1, 1, true",
        "<, 1, -1, true",
        "<=, -1, 1, false",
        "&, 6, 4, true",
        "&, 6, 1, false",
        "s>, -1, 1, false",
        "s>, 1, -1, true",
        "s>=, -1, -1, true",
        "s<, -1, 1, true",
        "s<=, 2, 1, false"
    })
    void branchesOfSection43(String condition, int left, int right, boolean taken) throws Exception {
        for (String operand : List.of(Integer.toString(right), "r4")) {
            for (String register : List.of("r", "w")) {
                // a branch of 32 bits does not see the high halves
                String noise = register.equals("w") ? "r5 = 1 ll; r5 <<= 40; r3 ^= r5;" : "";
                String text = "r0 = 1; r3 = " + left + "; r4 = " + right + ";" + noise + "if " + register + "3 "
                        + condition + " " + operand.replace("r", register) + " goto end; r0 = 0; end: ; exit";
                assertResult(taken ? 1 : 0, text);
            }
        }
    }

    @Test
    void jumpsOfSection43() throws Exception {
        assertResult(3, "r0 = 3; goto end; r0 = 4; end: ; exit");
        assertResult(3, "r0 = 3; gotol end; r0 = 4; end: ; exit");
        assertResult(55, "r0 = 0; r3 = 10; again: ; r0 += r3; r3 -= 1; if r3 != 0 goto again; exit");
    }

    @Test
    void aHelperGetsFiveArgumentsAndLeavesTheOtherRegisters() throws Exception {
        assertResult(1 + 2 + 3 + 4 + 5 + 40, "r1 = 1; r2 = 2; r3 = 3; r4 = 4; r5 = 5; r6 = 40; call 7; r0 += r6; exit");
    }

    @Test
    void aHelperMayBeCalledByANumberInARegister() throws Exception {
        assertResult(15, "r1 = 1; r2 = 2; r3 = 3; r4 = 4; r5 = 5; r6 = 7; callx r6; exit");
        for (String number : List.of("9", "-1", "0x100000007 ll")) {
            FaultException fault =
                    assertThrows(FaultException.class, () -> run("r1 = " + number + "; callx r1; exit", FUEL));
            assertTrue(fault.getMessage().contains("there is no helper with the number"), fault::getMessage);
        }
    }

    @Test
    void aFunctionKeepsTheRegistersOfItsCaller() throws Exception {
        assertResult(36, """
                r6 = 6; r7 = 7; r8 = 8; r9 = 9; r1 = 5; *(u64 *)(r10 - 8) = 1
                call local f
                r0 += r6; r0 += r7; r0 += r8; r0 += r9
                r1 = *(u64 *)(r10 - 8); r0 += r1; exit
                f:
                r0 = r1; r6 = 0; r7 = 0; r8 = 0; r9 = 0; *(u64 *)(r10 - 8) = 77; exit
                """);
    }

    @Test
    void aFunctionUsesMemoryOfItsCallerButNotTheOtherWayRound() throws Exception {
        assertResult(42, """
                r1 = r10; r1 += -8; call local f; r0 = *(u64 *)(r10 - 8); exit
                f:
                *(u64 *)(r1 + 0) = 42; exit
                """);
        FaultException fault = fault("call local f; r0 = *(u64 *)(r0 - 8); exit; f: ; r0 = r10; exit");
        assertTrue(fault.getMessage().contains("where there is no memory"), fault::getMessage);
    }

    @Test
    void aStackFrameBeginsEmptyAndEndsAtItsBounds() throws Exception {
        assertResult(
                0,
                "call local f; call local g; exit; f: ; *(u64 *)(r10 - 512) = 5; exit; g: ; r0 = *(u64 *)(r10 - 512); exit");
        String below =
                fault("call local f; exit; f: ; *(u8 *)(r10 - 513) = 1; exit").getMessage();
        assertTrue(
                below.startsWith(
                        "instruction 2: store of 1 bytes at offset -1 of the region 'stack frame 1', which has 512"),
                below);
        String above =
                fault("call local f; exit; f: ; r0 = *(u64 *)(r10 - 7); exit").getMessage();
        assertTrue(above.contains("load of 8 bytes at offset 505 of the region 'stack frame 1'"), above);
    }

    @Test
    void callsAreNestedEightFunctionsDeep() throws Exception {
        String recursion =
                "r1 = DEPTH; call local f; exit; f: ; r0 = 1; r1 -= 1; if r1 == 0 goto end; call local f; end: ; exit";
        assertResult(1, recursion.replace("DEPTH", "7"));
        FaultException fault = fault(recursion.replace("DEPTH", "8"));
        assertTrue(fault.getMessage().contains("instruction 6: calls are nested deeper than 8"), fault::getMessage);
    }

    @Test
    void loadsAndStoresOfSection51() throws Exception {
        assertResult(0x81, "r0 = *(u8 *)(r1 + 0); exit");
        assertResult(0x8382, "r0 = *(u16 *)(r1 + 1); exit");
        assertResult(0x88878685L, "r0 = *(u32 *)(r1 + 4); exit");
        assertResult(0xf8f7f6f5f4f3f2f1L, "r1 += 16; r0 = *(u64 *)(r1 - 8); exit");
        assertResult(2, "*(u64 *)(r1 + 0) = -1; *(u8 *)(r1 + 1) = 2; r0 = *(u8 *)(r1 + 1); exit");
        assertEquals("ff02ffffffffffff", HexFormat.of().formatHex(content(), 0, 8));
        assertResult(0, "r3 = 1311768467463790320 ll; *(u32 *)(r1 + 8) = r3; *(u16 *)(r1 + 14) = r3; r0 = 0; exit");
        assertEquals("f0debc9af5f6f0de", HexFormat.of().formatHex(content(), 8, 16));
    }

    @Test
    void loadsWithSignExtensionOfSection52() throws Exception {
        assertResult(-127, "r0 = *(s8 *)(r1 + 0); exit");
        assertResult((short) 0x8281, "r0 = *(s16 *)(r1 + 0); exit");
        assertResult(0x84838281, "r0 = *(s32 *)(r1 + 0); exit");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "lock *(u64 *)(r1 + 0) += r2                     ~ 11 ~ 5",
                "lock *(u64 *)(r1 + 0) |= r2                     ~ 7 ~ 5",
                "lock *(u64 *)(r1 + 0) &= r2                     ~ 4 ~ 5",
                "lock *(u64 *)(r1 + 0) ^= r2                     ~ 3 ~ 5",
                "r2 = atomic_fetch_add((u64 *)(r1 + 0), r2)      ~ 11 ~ 6",
                "r2 = atomic_fetch_or((u64 *)(r1 + 0), r2)       ~ 7 ~ 6",
                "r2 = atomic_fetch_and((u64 *)(r1 + 0), r2)      ~ 4 ~ 6",
                "r2 = atomic_fetch_xor((u64 *)(r1 + 0), r2)      ~ 3 ~ 6",
                "r2 = xchg_64(r1 + 0, r2)                        ~ 5 ~ 6",
                "r0 = 6; r0 = cmpxchg_64(r1 + 0, r0, r2)         ~ 5 ~ 5",
                "r0 = 9; r0 = cmpxchg_64(r1 + 0, r0, r2); r2 = r0 ~ 6 ~ 6"
            })
    void atomicOperationsOfSection53(String instruction, long inMemory, long inRegister) throws Exception {
        String narrow = instruction.replace("u64", "u32").replace("xchg_64", "xchg32_32");
        for (String each : List.of(instruction, narrow)) {
            String before = "*(u64 *)(r1 + 0) = 6; r2 = 5; ";
            String after = "; r0 = *(u64 *)(r1 + 0); r2 <<= 32; r0 |= r2; exit";
            assertResult(inMemory | (inRegister << 32), before + each + after);
        }
    }

    @Test
    void atomicOperationsOf32BitsLeaveTheRestOfMemoryAndClearThatOfTheRegister() throws Exception {
        assertResult(0x84838281L, "r2 = -1; w2 = atomic_fetch_add((u32 *)(r1 + 0), w2); r0 = r2; exit");
        assertEquals("8082838485868788", HexFormat.of().formatHex(content(), 0, 8));
        assertResult(0x84838280L, "r0 = -1; r2 = 1; w0 = cmpxchg32_32(r1 + 0, w0, w2); exit");
    }

    @Test
    void wideInstructionsOfSection54() throws Exception {
        assertResult(0x123456789abcdef0L, "r0 = 1311768467463790320 ll; exit");
        Program program = Program.decode(
                "test",
                Assembler.assemble("r1 = map_val_by_idx(1) + 2; r0 = *(u16 *)(r1 + 0); exit"),
                List.of(new byte[0], new byte[] {1, 2, 3, 4}));
        assertEquals(0x0403, engine(program, helpers).run(new CheckedMemory(program, List.of()), FUEL, 0, 0));
        Program writes = Program.decode(
                "test",
                Assembler.assemble("r1 = map_val_by_idx(0) + 0; *(u8 *)(r1 + 0) = 1; exit"),
                List.of(new byte[4]));
        FaultException fault = assertThrows(
                FaultException.class,
                () -> engine(writes, helpers).run(new CheckedMemory(writes, List.of()), FUEL, 0, 0));
        assertTrue(fault.getMessage().contains("'constants 0', which can only be read"), fault::getMessage);
    }

    @ParameterizedTest
    @CsvSource({
        "call 9, no helper with the number 9",
        "call btf 7, nothing for 'call btf 7'",
        "r1 = map_by_fd(1), nothing for",
        "r1 = code_addr(2), nothing for"
    })
    void whatThereIsNotIsRefusedBeforeTheRun(String instruction, String part) throws Exception {
        Program program = Program.decode("test", Assembler.assemble(instruction + "; exit; exit"));
        String message = assertThrows(InvalidProgramException.class, () -> engine(program, helpers))
                .getMessage();
        assertTrue(message.startsWith("instruction 0: ") && message.contains(part), message);
    }

    @Test
    void aFaultHasTheInstructionAndTheRegisters() {
        FaultException fault = fault("r0 = 5; r9 = -1; r3 = 1 ll; *(u32 *)(r0 + 0) = 1; exit");
        assertEquals(4, fault.slot());
        long[] registers = fault.registers();
        assertArrayEquals(
                new long[] {5, 16, 1, -1}, new long[] {registers[0], registers[2], registers[3], registers[9]});
        assertTrue(
                fault.getMessage()
                        .startsWith("instruction 4: store of 4 bytes at 0x5, where there is no memory (r0=0x5 r1=0x"),
                fault::getMessage);
        assertEquals(0, fault.getStackTrace().length);
    }

    @Test
    void aHelperThatFailsIsAFault() {
        FaultException fault = fault("call 8; exit");
        assertTrue(
                fault.getMessage().contains("instruction 0: java.lang.IllegalStateException: the helper"),
                fault::getMessage);
    }

    @Test
    void aRunEndsWithItsFuel() throws Exception {
        assertEquals(0, run("r0 = 0; exit", 2));
        FaultException fault = assertThrows(FaultException.class, () -> run("r0 = 0; exit", 1));
        assertTrue(
                fault.getMessage().startsWith("instruction 1: the program has not ended after 1 instr"),
                fault::getMessage);
        assertThrows(FaultException.class, () -> run("again: ; goto again", FUEL));
        assertThrows(FaultException.class, () -> run("r0 = 0; exit", 0));
    }

    @Test
    void aMemoryServesManyRunsAlsoAfterAFault() throws Exception {
        Program program = Program.decode(
                "test",
                Assembler.assemble(
                        "r0 = 0; if r2 == 0 goto end; call local f; end: ; exit; f: ; r0 = *(u8 *)(r0 + 0); exit"));
        CheckedMemory whole = new CheckedMemory(program, List.of());
        Engine engine = engine(program, helpers);
        for (int i = 0; i < 2 * StackFrames.MAX_FRAMES; i++) {
            assertThrows(FaultException.class, () -> engine.run(whole, FUEL, 0, 1));
            assertEquals(0, engine.run(whole, FUEL, 0, 0));
        }
    }
}
