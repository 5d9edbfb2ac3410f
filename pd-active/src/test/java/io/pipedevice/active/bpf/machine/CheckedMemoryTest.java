// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.Assembler;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.Program;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class CheckedMemoryTest {
    private final Program program;

    CheckedMemoryTest() throws InvalidProgramException {
        program = Program.decode("test", Assembler.assemble("exit"), List.of(new byte[] {1, 2, 3}));
    }

    private CheckedMemory of(ProgramRegion... regions) {
        return new CheckedMemory(program, List.of(regions));
    }

    private static String fault(Executable access) {
        return assertThrows(FaultException.class, access).getMessage();
    }

    @Test
    void anAccessIsInsideOfOneRegion() throws FaultException {
        CheckedMemory memory = of(ProgramRegion.ofLength("a", 10), ProgramRegion.ofLength("b", 4));
        long a = memory.address(0);
        long b = memory.address(1);
        memory.store(a + 2, 8, -2);
        assertEquals(-2, memory.load(a + 2, 8));
        assertEquals(
                "load of 8 bytes at offset 3 of the region 'a', which has 10 bytes",
                fault(() -> memory.load(a + 3, 8)));
        assertEquals(
                "store of 1 bytes at offset -1 of the region 'b', which has 4 bytes",
                fault(() -> memory.store(b - 1, 1, 0)));
        assertEquals(
                "load of 1 bytes at offset 4 of the region 'b', which has 4 bytes", fault(() -> memory.load(b + 4, 1)));
        for (long nowhere : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, a - 8 - (1L << 40)}) {
            assertTrue(fault(() -> memory.load(nowhere, 8)).contains("where there is no memory"));
        }
    }

    @Test
    void aHelperSeesOnlyWhatItAskedFor() throws FaultException {
        CheckedMemory memory = of(ProgramRegion.ofLength("a", 10));
        long a = memory.address(0);
        assertEquals(4, memory.writable(a + 6, 4).byteSize());
        assertTrue(memory.readable(a, 10).isReadOnly());
        assertEquals(0, memory.readable(a + 10, 0).byteSize());
        for (long length : new long[] {11, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertTrue(fault(() -> memory.readable(a, length)).contains("read of " + length));
            assertTrue(fault(() -> memory.writable(a, length)).contains("write of " + length));
        }
        assertTrue(fault(() -> memory.writable(memory.dataAddress(0), 1)).contains("can only be read"));
        assertEquals(0x0201, memory.load(memory.dataAddress(0), 2));
    }

    @Test
    void aStackFrameIsMemoryWhileItsFunctionRuns() throws FaultException {
        CheckedMemory memory = of();
        long top = memory.stack().push();
        memory.store(top - 8, 8, 5);
        memory.stack().pop();
        assertTrue(fault(() -> memory.load(top - 8, 8)).contains("where there is no memory"));
        assertEquals(top, memory.stack().push());
        assertEquals(0, memory.load(top - 8, 8));
        memory.reset();
        assertThrows(IllegalStateException.class, memory.stack()::pop);
        for (int i = 0; i < StackFrames.MAX_FRAMES; i++) {
            long unused = memory.stack().push();
            assertEquals(0, memory.load(unused - StackFrames.FRAME_LENGTH, 8));
        }
        assertEquals("calls are nested deeper than 8 functions", fault(memory.stack()::push));
    }

    @Test
    void atomicOperationsNeedAlignedMemory() throws FaultException {
        CheckedMemory memory =
                of(ProgramRegion.ofLength("a", 16), new ProgramRegion("bytes", MemorySegment.ofArray(new byte[16])));
        long a = memory.address(0);
        assertEquals(0, Atomics.update(memory, Operation.FETCH_ADD, a + 8, 8, 3, 0));
        assertEquals(3, Atomics.update(memory, Operation.FETCH_ADD, a + 8, 4, 3, 0));
        for (long address : new long[] {a + 1, a + 4, memory.address(1)}) {
            String message = fault(() -> Atomics.update(memory, Operation.ATOMIC_ADD, address, 8, 1, 0));
            assertTrue(message.contains("not aligned"), message);
        }
        String outside = fault(() -> Atomics.update(memory, Operation.ATOMIC_ADD, a + 16, 8, 1, 0));
        assertTrue(outside.startsWith("write of 8 bytes at offset 16 of the region 'a'"), outside);
    }

    @Test
    void memoryOutsideOfTheHeapIsSharedWithItsOwner() throws FaultException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(16, 8);
            CheckedMemory memory = of(new ProgramRegion("shared", segment));
            Atomics.update(memory, Operation.ATOMIC_OR, memory.address(0) + 8, 8, 0xff, 0);
            assertEquals(0xff, segment.get(ValueLayout.JAVA_LONG, 8));
        }
    }

    @Test
    @SuppressWarnings("restricted")
    void regionsAreBounded() {
        assertThrows(
                IllegalArgumentException.class,
                () -> of(new ProgramRegion("long", MemorySegment.ofAddress(0).reinterpret((1L << 39) + 1))));
        List<ProgramRegion> many = Collections.nCopies(CheckedMemory.MAX_REGIONS, ProgramRegion.ofLength("a", 1));
        assertThrows(IllegalArgumentException.class, () -> new CheckedMemory(program, many));
        assertThrows(IndexOutOfBoundsException.class, () -> of().address(0));
        assertThrows(IndexOutOfBoundsException.class, () -> of().dataAddress(1));
    }
}
