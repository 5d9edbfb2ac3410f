// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecoderTest {
    private static final String EXIT = "9500000000000000";

    private static Program decode(String hex) throws InvalidProgramException {
        return Program.decode("test", HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private static String refusal(String hex) {
        return assertThrows(InvalidProgramException.class, () -> decode(hex)).getMessage();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "r1 += r2; w1 += 5; r1 -= -1; w1 -= w3; r1 *= 3; w1 *= w9",
                "r1 /= 7; w1 /= w2; r1 s/= r2; w1 s/= -2; r1 %= r2; w1 %= 10; r1 s%= -3; w1 s%= w4",
                "r1 |= 1; w1 |= w2; r1 &= r2; w1 &= 255; r1 ^= -1; w1 ^= w2; r1 = -r1; w2 = -w2",
                "r1 <<= 63; w1 <<= w2; r1 >>= r2; w1 >>= 31; r1 s>>= 1; w1 s>>= w2",
                "r1 = r2; w1 = w2; r1 = -2147483648; w1 = 2147483647; r0 = r10",
                "r1 = (s8)r2; r1 = (s16)r2; r1 = (s32)r2; w1 = (s8)w2; w1 = (s16)w2",
                "r1 = le16 r1; r1 = le32 r1; r1 = le64 r1; r2 = be16 r2; r2 = be32 r2; r2 = be64 r2",
                "r1 = bswap16 r1; r1 = bswap32 r1; r9 = bswap64 r9",
                "r1 = 1311768467463790320 ll; r2 = -1 ll; r3 = map_by_fd(7); r3 = map_val_by_fd(7) + 12",
                "r4 = var_addr(9); r5 = map_by_idx(1)",
                "r1 = *(u8 *)(r2 + 0); r1 = *(u16 *)(r2 - 2); r1 = *(u32 *)(r10 - 512); r1 = *(u64 *)(r2 + 32767)",
                "r1 = *(s8 *)(r2 - 1); r1 = *(s16 *)(r2 + 2); r1 = *(s32 *)(r2 + 4)",
                "*(u8 *)(r1 + 0) = r2; *(u16 *)(r1 + 2) = -1; *(u32 *)(r1 - 4) = r0; *(u64 *)(r10 - 8) = 5",
                "lock *(u32 *)(r1 + 4) += w2; lock *(u64 *)(r1 - 8) |= r2; lock *(u64 *)(r1 + 0) &= r2",
                "lock *(u32 *)(r1 + 0) ^= w2; r2 = atomic_fetch_add((u64 *)(r1 + 8), r2)",
                "w3 = atomic_fetch_or((u32 *)(r1 - 4), w3); r2 = atomic_fetch_and((u64 *)(r1 + 0), r2)",
                "r2 = atomic_fetch_xor((u64 *)(r1 + 0), r2); r2 = xchg_64(r1 + 0, r2); w2 = xchg32_32(r1 + 4, w2)",
                "r0 = cmpxchg_64(r1 - 8, r0, r2); w0 = cmpxchg32_32(r1 + 0, w0, w2)",
                "goto +0; gotol +0; if r1 == 5 goto +0; if w1 != w2 goto -1; if r1 & 4 goto -3",
                "if r1 > r2 goto +0; if r1 >= -1 goto +0; if w1 < 3 goto +0; if r1 <= r2 goto +0",
                "if r1 s> r2 goto +0; if r1 s>= -1 goto +0; if w1 s< 3 goto +0; if r1 s<= r2 goto +0",
                "call 5; callx r9; call btf -3; call local +1; exit; r0 = 1"
            })
    void everyInstructionIsPrintedAsItWasWritten(String text) throws InvalidProgramException {
        Program program = Program.decode("test", Assembler.assemble(text + "; exit"));
        assertEquals(
                List.of((text + "; exit").split("; ", -1)),
                program.instructions().stream().map(Instruction::toString).toList());
    }

    @ParameterizedTest
    @CsvSource({
        "8d10000000000000, src", // callx has its register in dst
        "8e02000000000000, opcode 0x8e",
        "2f00000001000000, does not use the field imm", // multiplication by a register
        "0710000001000000, does not use the field src",
        "0700010001000000, does not use the field offset",
        "3700020001000000, opcode 0x37", // neither unsigned nor signed division
        "b700080001000000, opcode 0xb7", // sign extension of an immediate
        "bc10200000000000, opcode 0xbc", // sign extension of 32 bits to 32
        "bf10040000000000, opcode 0xbf",
        "8700000001000000, does not use the field imm", // negation
        "8f00000000000000, opcode 0x8f",
        "e700000000000000, opcode 0xe7", // no operation
        "dc00000018000000, opcode 0xdc", // byte swap of 24 bits
        "df00000010000000, opcode 0xdf",
        "d700010010000000, does not use the field offset",
        "0510000000000000, does not use the field src",
        "0600010000000000, does not use the field offset",
        "0d00000000000000, opcode 0x0d",
        "e500000000000000, opcode 0xe5",
        "9600000000000000, opcode 0x96", // exit of the class JMP32
        "8600000000000000, opcode 0x86",
        "8530000000000000, opcode 0x85", // a kind of call that there is not
        "8501000000000000, does not use the field dst",
        "1510000000000000, does not use the field src",
        "1d00000001000000, does not use the field imm",
        "9500000001000000, does not use the field imm",
        "6100000001000000, does not use the field imm",
        "9900000000000000, opcode 0x99", // sign extension of 64 bits
        "4100000000000000, opcode 0x41",
        "6210000000000000, does not use the field src",
        "6300000001000000, does not use the field imm",
        "cb00000000000000, opcode 0xcb", // atomic operation on 16 bits
        "c300000002000000, opcode 0xc3",
        "c3000000e0000000, opcode 0xc3", // exchange without fetch
        "c200000000000000, opcode 0xc2",
        "2000000000000000, packet",
        "4800000000000000, packet",
        "1000000000000000, opcode 0x10",
        "070b000001000000, no register r11",
        "bff0000000000000, no register r15",
        "b70a000000000000, would change r10",
        "79a0000000000000 070a000001000000, instruction 1: it would change r10",
        "dba1000001000000, would change r10", // the source of a fetch
    })
    void whatTheStandardDoesNotDefineIsRefused(String hex, String part) {
        String message = refusal(hex + EXIT);
        assertTrue(message.startsWith("instruction "), message);
        assertTrue(message.contains(part), message);
    }

    @Test
    void aWideInstructionHasTwoWholeSlots() {
        assertEquals("instruction 0: the code ends inside of this wide instruction", refusal("1800000000000000"));
        String opcode = refusal("1800000001000000 1800000001000000" + EXIT);
        assertTrue(opcode.startsWith("instruction 1: the second half of a wide instruction"), opcode);
        for (String second : List.of("0001000000000000", "0010000000000000", "0000010000000000")) {
            String message = refusal("1800000001000000" + second + EXIT);
            assertTrue(message.startsWith("instruction 1: opcode 0x00 does not use"), message);
        }
        assertTrue(refusal("1870000001000000 0000000000000000" + EXIT).contains("opcode 0x18"));
        assertTrue(refusal("1810000001000000 0000000001000000" + EXIT).contains("field imm"));
        assertTrue(refusal("1860000000000000 0000000000000000" + EXIT).contains("no data with the number 0"));
    }

    @ParameterizedTest
    @CsvSource({
        "goto -2, instruction 0: it leads to instruction -1",
        "goto +1, instruction 0: it leads to instruction 2",
        "if r1 == 0 goto +32767, instruction 0: it leads to instruction 32768",
        "gotol +2147483647, instruction 0: it leads to instruction 2147483648",
        "call local -2147483648, instruction 0: it leads to instruction -2147483647"
    })
    void aTargetOutsideOfTheCodeIsRefused(String instruction, String part) {
        byte[] code = Assembler.assemble(instruction + "; exit");
        String message = assertThrows(InvalidProgramException.class, () -> Program.decode("test", code))
                .getMessage();
        assertTrue(message.startsWith(part), message);
    }

    @Test
    void targetsAreIndexesOfInstructions() throws InvalidProgramException {
        Program program = Program.decode("test", Assembler.assemble("r1 = 1 ll; goto end; r2 = 2 ll; end: \n exit"));
        Instruction jump = program.instructions().get(1);
        assertEquals(3, program.instructions().indexOf(program.instructions().get(jump.target())));
        assertEquals(2, jump.slot());
        assertEquals(5, program.instructions().get(jump.target()).slot());
        byte[] inside = Assembler.assemble("goto +1; r1 = 1 ll; exit");
        assertEquals(
                "instruction 0: it leads to instruction 2, the second half of a wide instruction",
                assertThrows(InvalidProgramException.class, () -> Program.decode("test", inside))
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "r0 = 1, instruction 0: the function ends with it",
        "exit; call 1, instruction 1: the function ends with it",
        "call local f; r0 = 1; f: ; exit, instruction 1: the function ends with it",
        "call local f; f: ; goto -2, instruction 0: the function ends with it",
        "call local f; exit; f: ; goto -2, instruction 2: it leads to instruction 1",
        "call local f; if r1 == 1 goto f; exit; f: ; exit, instruction 1: it leads to instruction 3"
    })
    void functionsDoNotOverlap(String text, String part) {
        byte[] code = Assembler.assemble(text);
        String message = assertThrows(InvalidProgramException.class, () -> Program.decode("test", code))
                .getMessage();
        assertTrue(message.startsWith(part), message);
    }

    @Test
    void functionsBeginWhereTheyAreCalled() throws InvalidProgramException {
        Program program = Program.decode(
                "test", Assembler.assemble("call local b; call local a; exit; a: ; exit; b: ; call local a; exit"));
        assertEquals(List.of(0, 3, 4), program.functions());
    }

    @Test
    void theLengthIsBounded() throws InvalidProgramException {
        assertTrue(refusal("").contains("0 bytes"));
        assertTrue(refusal("95000000000000").contains("7 bytes"));
        byte[] longest = new byte[Program.MAX_SLOTS * 8];
        byte[] exit = HexFormat.of().parseHex(EXIT);
        for (int i = 0; i < longest.length; i += 8) {
            System.arraycopy(exit, 0, longest, i, 8);
        }
        assertEquals(
                Program.MAX_SLOTS,
                Program.decode("test", longest).instructions().size());
        byte[] longer = Arrays.copyOf(longest, longest.length + 8);
        assertThrows(InvalidProgramException.class, () -> Program.decode("test", longer));
    }

    @Test
    void positionsCountSlots() throws InvalidProgramException {
        Program program = Program.decode("test", Assembler.assemble("r1 = 5 ll; exit"));
        assertEquals(
                List.of("       0:\tr1 = 5 ll", "       2:\texit"),
                program.disassembly().toList());
    }
}
