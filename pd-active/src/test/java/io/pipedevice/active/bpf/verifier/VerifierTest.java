// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.Assembler;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helper.Argument;
import io.pipedevice.active.bpf.machine.Helper.Result;
import io.pipedevice.active.bpf.machine.Helpers;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is accepted, and what is refused and why: memory of 16 to 64 bytes in r1, its length in r2. */
class VerifierTest {
    private static final Helper.Function NOTHING = (memory, a, b, c, d, e) -> 0;
    private static final Helpers HELPERS = new Helpers(List.of(
            new Helper(1, "number", List.of(Argument.NUMBER), Result.NUMBER, NOTHING),
            new Helper(2, "read", List.of(Argument.READABLE, Argument.LENGTH), Result.NUMBER, NOTHING),
            new Helper(3, "fill", List.of(Argument.WRITABLE, Argument.LENGTH), Result.NUMBER, NOTHING),
            new Helper(4, "find", List.of(Argument.NUMBER), Result.memoryOrNull(16, true), NOTHING),
            new Helper(5, "log", List.of(Argument.TEXT), Result.NUMBER, NOTHING)));
    private static final Conditions CONDITIONS = Conditions.ofMemory(HELPERS, 16, 64);

    private static VerifiedProgram verify(String text) throws UnsafeProgramException, InvalidProgramException {
        byte[] constants = {'h', 'e', 'l', 'l', 'o', 0, 1, 2};
        return Verifier.verify(Program.decode("test", Assembler.assemble(text), List.of(constants)), CONDITIONS);
    }

    private static VerifiedProgram accepted(String text) {
        try {
            return verify(text);
        } catch (UnsafeProgramException | InvalidProgramException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    private static void refused(String text, String message) {
        assertEquals(
                message,
                assertThrows(UnsafeProgramException.class, () -> verify(text)).getMessage());
    }

    @Test
    void aRegisterIsReadOnlyAfterItWasSet() {
        accepted("r3 = 1; r0 = r3; exit");
        refused(
                "r0 = r3; exit",
                "instruction 0: r0 = r3: r3 has not been set"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "exit",
                "instruction 0: exit: r0 has not been set" + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "if r2 == 20 goto +1; r3 = 1; r0 = r3; exit",
                "instruction 2: r0 = r3: r3 has not been set"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r3 = 1; if r2 == 20 goto +1; r3 = r1; r0 = 0; r3 += 1; *(u64 *)(r10 - 8) = r3; exit",
                "instruction 4: r3 += 1: r3 is not the same kind of value on all paths that lead here"
                        + " (r0=0 r1=memory+0 r2=16..64 r3=different r10=stack0+0 length(r1)=16..64)");
    }

    @Test
    void anAccessStaysInItsMemory() {
        accepted("r0 = *(u8 *)(r1 + 15); exit");
        refused(
                "r0 = *(u8 *)(r1 + 16); exit",
                "instruction 0: r0 = *(u8 *)(r1 + 16): the load of 1 byte at offset 16 may leave 'memory', which has at least 16 bytes"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r0 = *(u64 *)(r1 + 9); exit",
                "instruction 0: r0 = *(u64 *)(r1 + 9): the load of 8 bytes at offset 9 may leave 'memory', which has at least 16 bytes"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r0 = *(u8 *)(r1 - 1); exit",
                "instruction 0: r0 = *(u8 *)(r1 - 1): the load may begin 1 byte before 'memory'"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r0 = *(u8 *)(r2 + 0); exit",
                "instruction 0: r0 = *(u8 *)(r2 + 0): r2 is a number and not an address"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "*(u64 *)(r10 + 0) = 1; r0 = 0; exit",
                "instruction 0: *(u64 *)(r10 + 0) = 1: the store of 8 bytes at offset 512 may leave 'stack0', which has 512 bytes"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "*(u64 *)(r10 - 520) = 1; r0 = 0; exit",
                "instruction 0: *(u64 *)(r10 - 520) = 1: the store may begin 8 bytes before 'stack0'"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r3 = *(u64 *)(r1 + 0); r1 += r3; r0 = *(u8 *)(r1 + 0); exit",
                "instruction 2: r0 = *(u8 *)(r1 + 0): the load may be anywhere, because the offset in r1 has no bounds"
                        + " (r1=memory+any r2=16..64 r3=any r10=stack0+0 length(r1)=16..64)");
        accepted("r3 = *(u64 *)(r1 + 0); r3 &= 15; r1 += r3; r0 = *(u8 *)(r1 + 0); exit");
        accepted("r3 = *(u64 *)(r1 + 0); if r3 > 15 goto +3; r1 += r3; r0 = *(u8 *)(r1 + 0); exit; r0 = 0; exit");
        accepted("r3 = *(u64 *)(r1 + 0); r3 %= 16; r1 += r3; r0 = *(u8 *)(r1 + 0); exit");
        refused(
                "r3 = *(u64 *)(r1 + 0); r3 s>>= 60; r1 += r3; r0 = *(u8 *)(r1 + 0); exit",
                "instruction 3: r0 = *(u8 *)(r1 + 0): the load may begin 8 bytes before 'memory'"
                        + " (r1=memory-8..7 r2=16..64 r3=-8..7 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r0 = *(u8 *)(r1 + 15); r1 = map_val_by_idx(0) + 7; r0 = *(u16 *)(r1 + 0); exit",
                "instruction 3: r0 = *(u16 *)(r1 + 0): the load of 2 bytes at offset 7 may leave 'constants0', which has 8 bytes"
                        + " (r0=0..255 r1=constants0+7 r2=16..64 r10=stack0+0 length(r1)=16..64)");
    }

    @Test
    void aLengthThatWasComparedIsKnown() {
        accepted("r0 = 0; if r2 < 24 goto +1; r0 = *(u64 *)(r1 + 16); exit");
        refused(
                "r0 = 0; if r2 < 23 goto +1; r0 = *(u64 *)(r1 + 16); exit",
                "instruction 2: r0 = *(u64 *)(r1 + 16): the load of 8 bytes at offset 16 may leave 'memory', which has at least 23 bytes"
                        + " (r0=0 r1=memory+0 r2=23..64 r10=stack0+0 length(r1)=23..64)");
        accepted("r0 = 0; r3 = r1; r3 += r2; r4 = r1; r4 += 24; if r4 > r3 goto +1; r0 = *(u64 *)(r1 + 16); exit");
        accepted(
                "r0 = 0; r3 = r1; r3 += r2; r4 = r1; r4 += 24; if r3 >= r4 goto +1; exit; r0 = *(u64 *)(r1 + 16); exit");
        accepted("r0 = 0; r3 = 20; if r3 >= r2 goto +3; r1 += r2; r0 = *(u32 *)(r1 - 21); exit; exit");
        accepted("r3 = *(u64 *)(r1 + 0); r0 = 0; if r3 >= r2 goto +2; r1 += r3; r0 = *(u8 *)(r1 + 0); exit");
        refused(
                "r3 = *(u64 *)(r1 + 0); r0 = 0; if r3 > r2 goto +2; r1 += r3; r0 = *(u8 *)(r1 + 0); exit",
                "instruction 4: r0 = *(u8 *)(r1 + 0): the load of 1 byte at offset 0..64 may leave 'memory', which has at least 16 bytes"
                        + " (r0=0 r1=memory+0..64 r2=16..64 r3=0..64 r10=stack0+0 length(r1)=16..64)");
        accepted("r3 = *(u32 *)(r1 + 0); r0 = 0; if w3 >= w2 goto +2; r1 += r3; r0 = *(u8 *)(r1 + 0); exit");
        refused(
                "r3 = *(u64 *)(r1 + 0); r0 = 0; if w3 >= w2 goto +2; r1 += r3; r0 = *(u8 *)(r1 + 0); exit",
                "instruction 4: r0 = *(u8 *)(r1 + 0): the load may be anywhere, because the offset in r1 has no bounds"
                        + " (r0=0 r1=memory+0..18446744069414584383&0xffffffff0000003f r2=16..64 r3=0..18446744069414584383&0xffffffff0000003f r10=stack0+0 length(r1)=16..64)");
        accepted(
                "r3 = *(u64 *)(r1 + 0); r0 = 0; w4 = w3; if w4 s>= 16 goto +3; if w4 s< 0 goto +2; r1 += r4; r0 = *(u8 *)(r1 + 0); exit");
    }

    @Test
    void whatCanOnlyBeReadIsNotWritten() {
        refused(
                "r1 = map_val_by_idx(0) + 0; *(u8 *)(r1 + 0) = 1; r0 = 0; exit",
                "instruction 2: *(u8 *)(r1 + 0) = 1: 'constants0' can only be read"
                        + " (r1=constants0+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r1 = map_val_by_idx(0) + 0; r2 = 1; lock *(u32 *)(r1 + 0) += r2; r0 = 0; exit",
                "instruction 3: lock *(u32 *)(r1 + 0) += w2: 'constants0' can only be read"
                        + " (r1=constants0+0 r2=1 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r1 = map_val_by_idx(0) + 0; r2 = 1; call 3; exit",
                "instruction 3: call 3: 'constants0' can only be read"
                        + " (r1=constants0+0 r2=1 r10=stack0+0 length(r1)=16..64)");
        accepted("r1 = map_val_by_idx(0) + 0; r0 = *(u64 *)(r1 + 0); exit");
    }

    @Test
    void addressesAreOnlyAddedToAndSubtractedFrom() {
        accepted("r3 = r1; r3 += 8; r3 -= r1; r0 = r3; exit");
        refused(
                "r1 *= 2; r0 = 0; exit",
                "instruction 0: r1 *= 2: r1 is an address, with which this is not allowed"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "w3 = w1; r0 = 0; exit",
                "instruction 0: w3 = w1: r1 is an address, with which this is not allowed"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "w1 += 1; r0 = 0; exit",
                "instruction 0: w1 += 1: r1 is an address, with which this is not allowed"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r1 += r1; r0 = 0; exit",
                "instruction 0: r1 += r1: r1 is an address, with which this is not allowed"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r2 -= r1; r0 = 0; exit",
                "instruction 0: r2 -= r1: r1 is an address, with which this is not allowed"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r1 -= r10; r0 = 0; exit",
                "instruction 0: r1 -= r10: r1 and r10 are addresses of different memory"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r1 = -r1; r0 = 0; exit",
                "instruction 0: r1 = -r1: r1 is an address, with which this is not allowed"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
    }

    @Test
    void noAddressLeavesTheProgram() {
        refused(
                "r0 = r1; exit",
                "instruction 1: exit: r0 is an address, and the result has to be a number"
                        + " (r0=memory+0 r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "*(u64 *)(r1 + 0) = r10; r0 = 0; exit",
                "instruction 0: *(u64 *)(r1 + 0) = r10: it would store the address in r10 in 'memory', which others can read"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "*(u32 *)(r10 - 8) = r1; r0 = 0; exit",
                "instruction 0: *(u32 *)(r10 - 8) = r1: it would store a part of the address in r1"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r3 = r10; lock *(u64 *)(r1 + 0) += r3; r0 = 0; exit",
                "instruction 1: lock *(u64 *)(r1 + 0) += r3: it would store the address in r3 by an atomic operation"
                        + " (r1=memory+0 r2=16..64 r3=stack0+0 r10=stack0+0 length(r1)=16..64)");
        refused(
                "*(u64 *)(r10 - 8) = r1; r0 = *(u32 *)(r10 - 8); exit",
                "instruction 1: r0 = *(u32 *)(r10 - 8): it would read a part of an address in 'stack0'"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "*(u64 *)(r10 - 8) = r1; *(u8 *)(r10 - 8) = 0; r0 = *(u8 *)(r10 - 1); exit",
                "instruction 2: r0 = *(u8 *)(r10 - 1): it would read a part of an address in 'stack0'"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "*(u64 *)(r10 - 8) = r1; r1 = r10; r1 += -8; r2 = 8; call 2; exit",
                "instruction 4: call 2: it would give 'read' a part of an address in 'stack0'"
                        + " (r1=stack0-8 r2=8 r10=stack0+0 length(r1)=16..64)");
        refused(
                "*(u64 *)(r10 - 8) = r1; r1 = r10; r1 += -8; r2 = 8; call 3; exit",
                "instruction 4: call 3: it would change a part of an address in 'stack0'"
                        + " (r1=stack0-8 r2=8 r10=stack0+0 length(r1)=16..64)");
        refused(
                "call 1; exit",
                "instruction 0: call 1: r1 is an address, but 'number' takes a number there"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r0 = 0; if r1 > 8 goto +0; exit",
                "instruction 1: if r1 > 8 goto +0: r1 is an address, which can be compared with 0 only"
                        + " (r0=0 r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r0 = 0; if r1 == r2 goto +0; exit",
                "instruction 1: if r1 == r2 goto +0: r1 is an address, which can be compared with 0 only"
                        + " (r0=0 r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r0 = 0; if r1 > r10 goto +0; exit",
                "instruction 1: if r1 > r10 goto +0: the addresses in r1 and r10 cannot be compared in this way"
                        + " (r0=0 r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r0 = 0; if w1 == 0 goto +0; exit",
                "instruction 1: if w1 == 0 goto +0: r1 is an address, which can be compared with 0 only"
                        + " (r0=0 r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        accepted("r0 = 0; if r1 == 0 goto +0; if r1 != r10 goto +0; exit");
    }

    @Test
    void theStackKeepsWhatIsStored() {
        accepted("*(u64 *)(r10 - 8) = r1; r3 = *(u64 *)(r10 - 8); r0 = *(u8 *)(r3 + 0); exit");
        accepted("*(u64 *)(r10 - 8) = r2; r3 = *(u64 *)(r10 - 8); r1 += r3; r0 = *(u8 *)(r1 - 1); exit");
        accepted("*(u32 *)(r10 - 8) = 7; w3 = *(u32 *)(r10 - 8); r1 += r3; r0 = *(u8 *)(r1 + 8); exit");
        accepted("*(u64 *)(r10 - 8) = r1; *(u64 *)(r10 - 8) = 0; r0 = *(u32 *)(r10 - 4); exit");
        refused(
                "r0 = *(u8 *)(r10 - 1); exit",
                "instruction 0: r0 = *(u8 *)(r10 - 1): it would read bytes of 'stack0' that were not written"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "*(u8 *)(r10 - 8) = 1; r0 = *(u16 *)(r10 - 8); exit",
                "instruction 1: r0 = *(u16 *)(r10 - 8): it would read bytes of 'stack0' that were not written"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "*(u64 *)(r10 - 8) = r2; *(u8 *)(r10 - 8) = r2; r3 = *(u64 *)(r10 - 8); r1 += r3; r0 = *(u8 *)(r1 - 1); exit",
                "instruction 4: r0 = *(u8 *)(r1 - 1): the load may be anywhere, because the offset in r1 has no bounds"
                        + " (r1=memory+any r2=16..64 r3=any r10=stack0+0 length(r1)=16..64)");
        refused(
                "r3 = r10; r2 &= 7; r3 -= r2; *(u64 *)(r3 - 16) = r1; r0 = 0; exit",
                "instruction 3: *(u64 *)(r3 - 16) = r1: it would store the address in r1 at an unknown place of the stack"
                        + " (r1=memory+0 r2=0..7 r3=stack0+505..512 r10=stack0+0 length(r1)=16..64)");
        accepted(
                "*(u64 *)(r10 - 16) = 0; *(u64 *)(r10 - 8) = 0; r3 = r10; r2 &= 7; r3 -= r2; *(u8 *)(r3 - 8) = 1; r0 = *(u8 *)(r3 - 4); exit");
    }

    @Test
    void atomicOperationsAreAligned() {
        accepted("r3 = 1; r3 = atomic_fetch_add((u64 *)(r1 + 8), r3); r0 = r3; exit");
        refused(
                "r3 = 1; lock *(u64 *)(r1 + 4) += r3; r0 = 0; exit",
                "instruction 1: lock *(u64 *)(r1 + 4) += r3: the address may not be a multiple of 8"
                        + " (r1=memory+0 r2=16..64 r3=1 r10=stack0+0 length(r1)=16..64)");
        accepted("r3 = *(u64 *)(r1 + 0); r3 &= 4; r1 += r3; r2 = 1; lock *(u32 *)(r1 + 4) += r2; r0 = 0; exit");
        refused(
                "r3 = *(u64 *)(r1 + 0); r3 &= 6; r1 += r3; r2 = 1; lock *(u32 *)(r1 + 4) += r2; r0 = 0; exit",
                "instruction 4: lock *(u32 *)(r1 + 4) += w2: the address may not be a multiple of 4"
                        + " (r1=memory+0..6&0x6 r2=1 r3=0..6&0x6 r10=stack0+0 length(r1)=16..64)");
    }

    @Test
    void argumentsOfHelpersAreWhatTheyExpect() {
        accepted("call 2; exit");
        accepted("r3 = 2; callx r3; exit");
        refused(
                "callx r2; exit",
                "instruction 0: callx r2: which helper r2 calls is not known"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r3 = 99; callx r3; exit",
                "instruction 1: callx r3: there is no helper with the number 99"
                        + " (r1=memory+0 r2=16..64 r3=99 r10=stack0+0 length(r1)=16..64)");
        accepted("r2 = 16; call 3; exit");
        refused(
                "r2 += 1; call 2; exit",
                "instruction 1: call 2: the read of 65 bytes at offset 0 may leave 'memory', which has at least 16 bytes"
                        + " (r1=memory+0 r2=17..65 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r2 = -1; call 2; exit",
                "instruction 1: call 2: the length in r2 may be negative"
                        + " (r1=memory+0 r2=-1 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r2 = *(u64 *)(r1 + 0); call 2; exit",
                "instruction 1: call 2: the length in r2 may be negative"
                        + " (r1=memory+0 r2=any r10=stack0+0 length(r1)=16..64)");
        refused(
                "r1 = 0; call 2; exit",
                "instruction 1: call 2: r1 is a number and not an address"
                        + " (r1=0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r1 = r10; r1 += -8; r2 = 8; call 2; exit",
                "instruction 3: call 2: it would give 'read' bytes of 'stack0' that were not written"
                        + " (r1=stack0-8 r2=8 r10=stack0+0 length(r1)=16..64)");
        accepted("r1 = r10; r1 += -8; r2 = 8; call 3; r0 = *(u64 *)(r10 - 8); exit");
        refused(
                "r1 = 7; call 1; r0 = r1; exit",
                "instruction 2: r0 = r1: r1 has not been set" + " (r0=any r10=stack0+0 length(r1)=16..64)");
        accepted("r1 = map_val_by_idx(0) + 0; call 5; exit");
        refused(
                "r1 = map_val_by_idx(0) + 6; call 5; exit",
                "instruction 2: call 5: the text at r1 may not end in 'constants0'"
                        + " (r1=constants0+6 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        refused(
                "call 5; exit",
                "instruction 0: call 5: the text at r1 may not end in 'memory'"
                        + " (r1=memory+0 r2=16..64 r10=stack0+0 length(r1)=16..64)");
        accepted("r3 = 1819043176; *(u64 *)(r10 - 8) = r3; r1 = r10; r1 += -8; call 5; exit");
    }

    @Test
    void aResultThatMayBeNullIsComparedFirst() {
        accepted("r1 = 1; call 4; if r0 == 0 goto +2; r0 = *(u64 *)(r0 + 8); exit; r0 = 1; exit");
        accepted("r1 = 1; call 4; r6 = r0; if r0 == 0 goto +2; r0 = *(u64 *)(r6 + 8); exit; exit");
        refused(
                "r1 = 1; call 4; r0 = *(u64 *)(r0 + 8); exit",
                "instruction 2: r0 = *(u64 *)(r0 + 8): r0 may be null and has not been compared with 0"
                        + " (r0=find+0 or null r10=stack0+0 length(r1)=16..64)");
        refused(
                "r1 = 1; call 4; r0 += 8; if r0 == 0 goto +1; r0 = *(u64 *)(r0 + 0); exit",
                "instruction 2: r0 += 8: r0 may be null and has not been compared with 0"
                        + " (r0=find+0 or null r10=stack0+0 length(r1)=16..64)");
        refused(
                "r1 = 1; call 4; if r0 == 0 goto +1; r0 = *(u64 *)(r0 + 9); exit",
                "instruction 3: r0 = *(u64 *)(r0 + 9): the load of 8 bytes at offset 9 may leave 'find', which has 16 bytes"
                        + " (r0=find+0 r10=stack0+0 length(r1)=16..64)");
        refused(
                "r1 = 1; call 4; r6 = r0; r1 = 1; call 4; if r0 == 0 goto +1; r0 = *(u64 *)(r6 + 0); exit",
                "instruction 6: r0 = *(u64 *)(r6 + 0): r6 may be null and has not been compared with 0"
                        + " (r0=find+0 r6=find+0 or null r10=stack0+0 length(r1)=16..64)");
        refused(
                "r1 = 1; call 4; r6 = r0; r1 = 1; call 4; if r0 == 0 goto +2; if r6 == 0 goto +1; r6 -= r0; r0 = 0; exit",
                "instruction 7: r6 -= r0: r6 and r0 are addresses of different memory"
                        + " (r0=find+0 r6=find+0 r10=stack0+0 length(r1)=16..64)");
        // two results of the same call
        refused(
                "call local +6; r6 = r0; call local +4; if r0 == 0 goto +1; r0 = *(u64 *)(r6 + 0); r0 = 0; exit;"
                        + " r1 = 1; call 4; exit",
                "instruction 4: r0 = *(u64 *)(r6 + 0): r6 may be null and has not been compared with 0"
                        + " (r0=find+0 r6=find+0 or null r10=stack0+0 length(r1)=16..64)");
    }

    @Test
    void functionsHaveRegistersAndFramesOfTheirOwn() {
        accepted("r6 = r1; call local +3; r0 = *(u8 *)(r6 + 0); r0 += 1; exit; r0 = 1; exit");
        refused(
                "r6 = r1; call local +1; exit; r0 = r6; exit",
                "instruction 3: r0 = r6: r6 has not been set"
                        + " (r1=memory+0 r2=16..64 r10=stack1+0 length(r1)=16..64)");
        refused(
                "call local +1; exit; r1 = 1; exit",
                "instruction 1: exit: r0 has not been set" + " (r10=stack0+0 length(r1)=16..64)");
        refused(
                "call local +2; r0 = r1; exit; r0 = 1; exit",
                "instruction 1: r0 = r1: r1 has not been set" + " (r0=1 r10=stack0+0 length(r1)=16..64)");
        accepted("*(u64 *)(r10 - 8) = 5; r1 = r10; call local +1; exit; r0 = *(u64 *)(r1 - 8); exit");
        refused(
                "call local +2; r0 = *(u64 *)(r0 - 8); exit; r0 = r10; exit",
                "instruction 1: r0 = *(u64 *)(r0 - 8): r0 has not been set" + " (r10=stack0+0 length(r1)=16..64)");
        refused(
                "r1 = r10; *(u64 *)(r10 - 8) = 0; call local +3; r0 = *(u64 *)(r10 - 8); r0 = *(u8 *)(r0 - 1); exit; *(u64 *)(r1 - 8) = r10; exit",
                "instruction 3: r0 = *(u64 *)(r10 - 8): it would read a part of an address in 'stack0'"
                        + " (r10=stack0+0 length(r1)=16..64)");
        refused(
                "call local +1; exit; call local -1; exit",
                "instruction 2: call local -1: the function at instruction 2 would call itself"
                        + " (r1=memory+0 r2=16..64 r10=stack1+0 length(r1)=16..64)");
        refused(
                "call local +1; exit; call local +1; exit; call local +1; exit; call local +1; exit; call local +1;"
                        + " exit; call local +1; exit; call local +1; exit; call local +1; exit; r0 = 1; exit",
                "instruction 14: call local +1: calls are nested deeper than 8 functions"
                        + " (r1=memory+0 r2=16..64 r10=stack7+0 length(r1)=16..64)");
    }

    @Test
    void aLoopWithABoundNeedsNoFuel() {
        String sum = "r0 = 0; r3 = 0; loop:; r4 = r1; r4 += r3; r4 = *(u8 *)(r4 + 0); r0 += r4; r3 += 1;";
        assertFalse(accepted(sum + "if r3 < 16 goto loop; exit").needsFuel());
        assertFalse(accepted(sum + "if r3 != 16 goto loop; exit").needsFuel());
        assertFalse(accepted(sum + "if r3 != r2 goto loop; exit").needsFuel());
        refused(
                sum + "if r3 <= r2 goto loop; exit",
                "instruction 4: r4 = *(u8 *)(r4 + 0): the load of 1 byte at offset 16 may leave 'memory', which has at least 16 bytes"
                        + " (r0=0..4080 r1=memory+0 r2=16..64 r3=16 r4=memory+16 r10=stack0+0 length(r1)=16..64)");
        refused(
                sum + "if r3 < 17 goto loop; exit",
                "instruction 4: r4 = *(u8 *)(r4 + 0): the load of 1 byte at offset 16 may leave 'memory', which has at least 16 bytes"
                        + " (r0=0..4080 r1=memory+0 r2=16..64 r3=16 r4=memory+16 r10=stack0+0 length(r1)=16..64)");
        assertFalse(accepted("r0 = 0; r3 = 100; r0 += r3; r3 += -1; if r3 != 0 goto -3; exit")
                .needsFuel());
        assertTrue(accepted("r0 = *(u64 *)(r1 + 0); r0 *= 3; if r0 != 1 goto -2; exit")
                .needsFuel());
        assertTrue(accepted("goto -1").needsFuel());
        assertTrue(accepted("r0 = 0; r0 += 1; if r0 != -1 goto -2; exit").needsFuel());
    }

    @Test
    void iterationsAreLookedAtOneByOneIfNecessary() {
        // an address that moves by 4 for each iteration, and a frame that is filled and read
        accepted(
                "r3 = r1; r0 = 0; r4 = 0; r5 = *(u32 *)(r3 + 0); r0 += r5; r3 += 4; r4 += 1; if r4 != 4 goto -5; exit");
        accepted("r3 = r10; r3 += -64; r4 = 0; *(u64 *)(r3 + 0) = r4; r3 += 8; r4 += 1; if r4 != 8 goto -4;"
                + " r0 = *(u64 *)(r10 - 40); exit");
        refused(
                "r3 = r1; r0 = 0; r4 = 0; r5 = *(u32 *)(r3 + 0); r0 += r5; r3 += 4; r4 += 1; if r4 != 5 goto -5; exit",
                "instruction 3: r5 = *(u32 *)(r3 + 0): the load of 4 bytes at offset 16 may leave 'memory', which has at least 16 bytes"
                        + " (r0=0..17179869180 r1=memory+0 r2=16..64 r3=memory+16 r4=4 r5=0..4294967295 r10=stack0+0 length(r1)=16..64)");
    }

    @Test
    void factsSayWhereInstructionsAccessMemory() {
        VerifiedProgram verified = accepted("r3 = *(u8 *)(r1 + 4); r3 &= 6; r1 += r3; *(u16 *)(r1 + 1) = 5;"
                + " *(u64 *)(r10 - 24) = r2; r1 = r10; call local +2; r0 = 0; exit; r0 = *(u32 *)(r1 - 24);"
                + " *(u8 *)(r10 - 1) = r0; exit; r0 = 3; exit");
        List<Optional<Access>> accesses = verified.accesses();
        assertEquals(Optional.of(new Access(Access.Kind.PARAMETER, 0, 4, 4)), accesses.get(0));
        assertEquals(Optional.empty(), accesses.get(1));
        assertEquals(Optional.of(new Access(Access.Kind.PARAMETER, 0, 1, 7)), accesses.get(3));
        assertEquals(Optional.of(new Access(Access.Kind.STACK, 0, 488, 488)), accesses.get(4));
        assertEquals(Optional.of(new Access(Access.Kind.STACK, 1, 488, 488)), accesses.get(9));
        assertEquals(25, verified.stackLength());
        assertEquals(List.of(12, 13), verified.unreachable());
    }
}
