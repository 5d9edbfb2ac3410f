// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.bpf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.interpreter.Interpreter;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.ProgramRegion;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class BpfCommandTest {
    private static final String LOAD = "7110010000000000"; // r0 = *(u8 *)(r1 + 1)
    private static final String EXIT = "9500000000000000";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String input, String... arguments) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.US_ASCII)));
        try {
            return new CommandLine(new BpfCommand())
                    .setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(err))
                    .execute(arguments);
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void aCompiledProgramHasTheSameResult() {
        assertEquals(0, execute(LOAD + EXIT, "run", "--hex", "aabb", "--compiled"), err::toString);
        assertEquals("bb" + System.lineSeparator(), out.toString());
    }

    @Test
    void hexIsTheProtocolOfAPluginOfTheSuite() {
        assertEquals(
                0, execute("71 10  01 00 00 00 00 00  \n" + EXIT + " ", "run", "--hex", "aa  bb  "), err::toString);
        assertEquals("bb" + System.lineSeparator(), out.toString());
        assertEquals(1, execute(LOAD + EXIT, "run", "--hex"));
        assertTrue(
                err.toString().contains("instruction 0: load of 1 bytes at 0x1, where there is no memory"),
                err::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run",
                "run --hex a b",
                "run --batch a",
                "run f.o --elf",
                "run --hex --section s",
                "run --hex --batch",
                ""
            })
    void argumentsThatDoNotBelongTogetherAreAUsageError(String words) {
        assertEquals(2, execute("", words.split(" ", -1)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBatchHasAnAnswerForEachLine(boolean compiled) throws Exception {
        String lines = String.join(
                "\n", "one\taabb\t" + LOAD + EXIT, "two\t\t" + LOAD + EXIT, "three\tx\t" + EXIT, "four", "five\t\t00");
        new Run(10, compiled).batch(new BufferedReader(new StringReader(lines)), new PrintWriter(out));
        List<String> answers = out.toString().lines().toList();
        assertEquals("one\tbb", answers.get(0));
        assertTrue(answers.get(1).startsWith("two\terror instruction 0: load"), answers::toString);
        assertEquals("three\terror the memory is not a number of bytes in hexadecimal digits", answers.get(2));
        assertEquals("four\terror there are 1 fields, not a name, memory and a program", answers.get(3));
        assertTrue(answers.get(4).startsWith("five\terror the code has 1 bytes"), answers::toString);
    }

    private static long call(int id, ProgramRegion region, long r1, long r2) throws Exception {
        byte[] code = HexFormat.of().parseHex("850000000" + id + "000000" + EXIT);
        Program program = Program.decode("test", code);
        CheckedMemory memory = new CheckedMemory(program, List.of(region));
        long base = memory.address(0);
        return new Interpreter(program, ConformanceHelpers.ALL)
                .run(memory, 10, r1 < 0 ? base + ~r1 : r1, r2 < 0 ? base + ~r2 : r2);
    }

    @ParameterizedTest
    @CsvSource({"0, 0x101, 2, 0x102000000", "2, 9, 9, 0", "3, 99, 0, 9", "5, 7, 0, 7"})
    void helpersOfTheSuiteComputeWhatItExpects(int id, String first, long second, String expected) throws Exception {
        assertEquals(Long.decode(expected), call(id, ProgramRegion.ofLength("none", 0), Long.decode(first), second));
    }

    @Test
    void helpersOfTheSuiteUseMemoryOfTheProgramOnly() throws Exception {
        // a negative argument is the address of the byte with that number, of which it is the complement
        ProgramRegion text = ProgramRegion.ofBytes("text", "ab\0ab\0ac".getBytes(StandardCharsets.US_ASCII));
        assertEquals(0, call(4, text, ~0, ~3));
        assertEquals(-1, call(4, text, ~0, ~6));
        assertThrows(FaultException.class, () -> call(4, text, ~7, ~7));
        assertEquals(0, call(1, text, ~0, 2));
        assertEquals('a' ^ 42, text.segment().get(ValueLayout.JAVA_BYTE, 0));
        assertThrows(FaultException.class, () -> call(1, text, ~0, 9));
    }
}
