// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.bpf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code bpf verify} says about object files, and its exit codes. */
class BpfVerifyCommandTest {
    private static final String LOAD = "7910080000000000"; // r0 = *(u64 *)(r1 + 8)
    private static final String STORE = "7a01080000000000"; // *(u64 *)(r1 + 8) = 0
    private static final String ZERO = "b700000000000000"; // r0 = 0
    private static final String SKIP = "0500010000000000"; // goto +1
    private static final String EXIT = "9500000000000000";
    private static final String SPIN = "0500ffff00000000"; // goto -1

    private static final int HEADER = 64;
    private static final int SECTION = 64;
    private static final int SYMBOL = 24;
    private static final String NAMES = "\0active\0";

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** An object file with one section of code, which is one function of the same name. */
    private Path object(String digits) throws IOException {
        byte[] code = HexFormat.of().parseHex(digits);
        int names = HEADER + code.length;
        int symbols = names + NAMES.length();
        int sections = symbols + SYMBOL;
        ByteBuffer file = ByteBuffer.allocate(sections + 4 * SECTION).order(ByteOrder.LITTLE_ENDIAN);
        file.put(HexFormat.of().parseHex("7f454c46020101")).position(16);
        file.putShort((short) 1).putShort((short) 247); // relocatable, for eBPF
        file.putLong(40, sections)
                .putShort(58, (short) SECTION)
                .putShort(60, (short) 4)
                .putShort(62, (short) 2);
        file.position(HEADER);
        file.put(code).put(NAMES.getBytes(StandardCharsets.US_ASCII));
        file.putInt(1).putShort((short) 2).putShort((short) 1).putLong(0).putLong(code.length); // a function
        file.position(sections + SECTION);
        section(file, 1, 6, HEADER, code.length);
        section(file, 3, 0, names, NAMES.length());
        section(file, 2, 0, symbols, SYMBOL);
        return Files.write(directory.resolve("test.o"), file.array());
    }

    /** The header of a section. All have the same name, and the names of symbols are in section 2. */
    private static void section(ByteBuffer file, int type, long flags, long offset, long length) {
        file.putInt(1).putInt(type).putLong(flags).putLong(0).putLong(offset).putLong(length);
        file.putInt(2).putInt(0).putLong(8).putLong(0);
    }

    private int verify(String digits, String... options) throws IOException {
        return execute(object(digits).toString(), options);
    }

    private int execute(String file, String... options) {
        CommandLine line = new CommandLine(new BpfCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        String[] arguments = new String[options.length + 2];
        arguments[0] = "verify";
        arguments[1] = file;
        System.arraycopy(options, 0, arguments, 2, options.length);
        return line.execute(arguments);
    }

    @Test
    void aProgramThatKeepsToItsMemoryIsSafe() throws Exception {
        assertEquals(0, verify(LOAD + EXIT, "--least", "16"), err::toString);
        assertTrue(out.toString().contains(": safe, 0 bytes of stack, all loops have a bound"), out::toString);
    }

    @Test
    void aProgramThatMayLeaveItsMemoryIsRefusedWithTheInstruction() throws Exception {
        assertEquals(1, verify(LOAD + EXIT, "--least", "15"));
        assertTrue(err.toString().contains(": refused: instruction 0: r0 = *(u64 *)(r1 + 8)"), err::toString);
        assertTrue(err.toString().contains("may leave 'memory', which has at least 15 bytes"), err::toString);
        assertEquals("", out.toString());
    }

    @Test
    void memoryThatCanOnlyBeReadIsNotChanged() throws Exception {
        assertEquals(0, verify(STORE + ZERO + EXIT, "--least", "16"), err::toString);
        assertEquals(1, verify(STORE + ZERO + EXIT, "--least", "16", "--read-only"));
        assertTrue(err.toString().contains("'memory' can only be read"), err::toString);
    }

    @Test
    void aLoopWithoutABoundNeedsFuel() throws Exception {
        assertEquals(0, verify(SPIN), err::toString);
        assertTrue(out.toString().contains("needs fuel: a loop without a bound was found"), out::toString);
    }

    @Test
    void whatIsNeverExecutedIsListed() throws Exception {
        assertEquals(0, verify(ZERO + SKIP + ZERO + EXIT), err::toString);
        assertTrue(out.toString().contains("never executed: 2: r0 = 0"), out::toString);
    }

    @Test
    void invalidLengthsAreAUsageError() throws Exception {
        assertEquals(2, verify(ZERO + EXIT, "--least", "2", "--most", "1"));
        assertTrue(err.toString().contains("'memory' cannot have 2 to 1 bytes"), err::toString);
        assertEquals(2, verify(ZERO + EXIT, "--least", "many"));
    }
}
