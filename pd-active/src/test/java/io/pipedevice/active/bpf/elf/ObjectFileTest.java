// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.elf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.Assembler;
import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectFileTest {
    private static final int CALL = ElfRelocation.CALL;
    private static final int WIDE_LOAD = ElfRelocation.WIDE_LOAD;

    private final ElfWriter writer = new ElfWriter();

    private int code(String name, String text) {
        return writer.section(name, ElfWriter.CODE, Assembler.assemble(text));
    }

    private static String text(Program program) {
        return program.instructions().stream().map(Instruction::toString).collect(Collectors.joining("; "));
    }

    private ObjectFile file() throws InvalidProgramException {
        return ObjectFile.of(writer.toBytes());
    }

    private String refusal() {
        return assertThrows(InvalidProgramException.class, () -> file().program())
                .getMessage();
    }

    @Test
    void aProgramIsChosenByItsFunctionOrItsSection() throws InvalidProgramException {
        int own = code("active", "r0 = 1; exit; r0 = 2; exit");
        int common = code(".text", "r0 = 3; exit");
        writer.function("second", own, 16, 16);
        writer.function("common", common, 0, 16);
        writer.function("first", own, 0, 16);
        ObjectFile file = file();
        assertEquals(List.of("first", "second", "common"), file.functions());
        assertEquals("r0 = 1; exit", text(file.program()));
        assertEquals("r0 = 1; exit", text(file.programIn("active")));
        assertEquals("r0 = 3; exit", text(file.programIn(".text")));
        assertEquals("r0 = 2; exit", text(file.programOf("second")));
        assertEquals("second", file.programOf("second").name());
        String function = assertThrows(InvalidProgramException.class, () -> file.programOf("third"))
                .getMessage();
        assertEquals("the file has no function 'third', only [first, second, common]", function);
        String section = assertThrows(InvalidProgramException.class, () -> file.programIn("passive"))
                .getMessage();
        assertTrue(section.endsWith("only in [active, .text]"), section);
    }

    @Test
    void calledFunctionsBecomePartsOfTheProgram() throws InvalidProgramException {
        int own = code("active", "call local -1; call local +1; call local +1; exit; r0 = 3; exit");
        int common = code(".text", "r0 = 2; exit; r0 = 1; exit");
        writer.function("entry", own, 0, 32);
        writer.function("three", own, 32, 16);
        int two = writer.function("two", common, 0, 16);
        writer.function("one", common, 16, 16);
        int section = writer.symbol("", ElfSymbol.SECTION, common, 0, 0);
        // the first call is of a symbol, the second of a place in a section, the third of its own section
        writer.relocations(own, 0, CALL, two, 8, CALL, section);
        assertEquals(
                "call local +3; call local +4; call local +5; exit; r0 = 2; exit; r0 = 1; exit; r0 = 3; exit",
                text(file().programOf("entry")));
    }

    @Test
    void aFunctionIsInAProgramOnceAlsoIfItCallsItself() throws InvalidProgramException {
        int own = code("active", "call local +2; call local +1; exit; call local -1; exit");
        writer.function("entry", own, 0, 24);
        writer.function("f", own, 24, 16);
        assertEquals("call local +2; call local +1; exit; call local -1; exit", text(file().program()));
    }

    @Test
    void constantsComeWithTheProgramThatUsesThem() throws InvalidProgramException {
        int own = code("active", "r1 = 2 ll; r2 = 0 ll; r3 = 1 ll; exit");
        int first = writer.section(".rodata", ElfWriter.CONSTANT, new byte[] {1, 2, 3, 4});
        int second = writer.section(".rodata.str", ElfWriter.CONSTANT, new byte[] {5, 6});
        writer.function("entry", own, 0, 56);
        int section = writer.symbol("", ElfSymbol.SECTION, first, 0, 0);
        int other = writer.symbol("", ElfSymbol.SECTION, second, 0, 0);
        int object = writer.symbol("object", 1, first, 3, 1);
        writer.relocations(own, 0, WIDE_LOAD, section, 16, WIDE_LOAD, other, 32, WIDE_LOAD, object);
        Program program = file().program();
        assertEquals(
                "r1 = map_val_by_idx(0) + 2; r2 = map_val_by_idx(1) + 0; r3 = map_val_by_idx(0) + 4; exit",
                text(program));
        assertEquals(2, program.data().size());
        assertEquals(3, program.data().getFirst().get(ValueLayout.JAVA_BYTE, 2));
        assertTrue(program.data().getFirst().isReadOnly());
    }

    @Test
    void whatTheFileDoesNotHaveIsNamed() {
        int own = code("active", "call local -1; exit");
        writer.function("entry", own, 0, 16);
        int other = writer.symbol("elsewhere", 0, 0, 0, 0);
        writer.relocations(own, 0, CALL, other);
        String message = refusal();
        assertTrue(message.contains("'entry' refers to 'elsewhere'"), message);
        assertTrue(message.contains("does not define it"), message);
    }

    @Test
    void variablesAreRefused() {
        int own = code("active", "r1 = 0 ll; exit");
        int data = writer.section(".data", ElfWriter.WRITABLE, new byte[8]);
        writer.function("entry", own, 0, 24);
        writer.relocations(own, 0, WIDE_LOAD, writer.symbol("counter", 1, data, 0, 8));
        String message = refusal();
        assertTrue(message.contains("'counter'") && message.contains("'.data'; only constants"), message);
    }

    @Test
    void aCallLeadsToAFunctionAndNotIntoOne() {
        int own = code("active", "call local +2; exit; r0 = 1; exit");
        writer.function("entry", own, 0, 16);
        writer.function("f", own, 16, 16);
        assertTrue(refusal().contains("calls byte 24 of section 1, where no function begins"), this::refusal);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 24, 'has 24 bytes at 0'",
        "4, 8, 'has 8 bytes at 4'",
        "0, 12, 'has 12 bytes at 0'",
        "0, 0, 'has 0 bytes at 0'",
        "-8, 16, 'has 16 bytes at -8'",
        "8, 9223372036854775800, 'at 8'",
        "9223372036854775800, 16, 'has 16 bytes'"
    })
    void aFunctionLiesInItsSection(long value, long size, String part) {
        writer.function("entry", code("active", "r0 = 1; exit"), value, size);
        assertTrue(refusal().contains(part), this::refusal);
    }

    @Test
    void relocationsChangeOneInstructionEach() {
        int own = code("active", "r0 = 1; exit");
        int symbol = writer.function("entry", own, 0, 16);
        writer.relocations(own, 0, WIDE_LOAD, symbol);
        assertTrue(refusal().contains("neither a call of code nor a wide load"), this::refusal);
        writer.relocations(own, 8, WIDE_LOAD, symbol);
        assertTrue(refusal().contains("one table of at most"), this::refusal);
    }

    @Test
    void aPlaceIsNotChangedTwiceAndBySymbolsOfTheFileOnly() {
        int own = code("active", "r0 = 1; exit");
        int symbol = writer.function("entry", own, 0, 16);
        writer.relocations(own, 0, WIDE_LOAD, symbol, 0, WIDE_LOAD, symbol);
        assertTrue(refusal().contains("one place twice"), this::refusal);
        int other = code("other", "r0 = 1; exit");
        writer.function("f", other, 0, 16);
        writer.relocations(other, 0, WIDE_LOAD, 99);
        assertTrue(assertThrows(InvalidProgramException.class, () -> file().programOf("f"))
                .getMessage()
                .contains("symbol 99"));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, no ELF file",
        "4, 1, 'class 1, not 2'",
        "5, 2, 'byte order 2, not 1'",
        "16, 2, 'type 2, not 1'",
        "18, 62, 'machine 62, not 247'",
        "58, 32, 'entries of 32 bytes'",
        "60, 0, 'has 0 entries'",
        "61, 255, 'entries of 64 bytes'",
        "63, 255, 'names in section'",
        "46, 1, 'not inside of the file'",
        "47, -1, 'not inside of the file'"
    })
    void aHeaderThatCannotBeIsRefused(int offset, int value, String part) {
        writer.function("entry", code("active", "r0 = 1; exit"), 0, 16);
        byte[] bytes = writer.toBytes();
        bytes[offset] = (byte) value;
        String message = assertThrows(InvalidProgramException.class, () -> ObjectFile.of(bytes))
                .getMessage();
        assertTrue(message.contains(part), message);
    }

    @Test
    void sectionsOutsideOfTheFileAreRefused() {
        writer.function("entry", code("active", "r0 = 1; exit"), 0, 16);
        byte[] bytes = writer.toBytes();
        ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int header = (int) file.getLong(40) + 64;
        for (long[] place : new long[][] {{bytes.length, 1}, {-1, 1}, {0, -1}, {Long.MAX_VALUE, Long.MAX_VALUE}}) {
            file.putLong(header + 24, place[0]).putLong(header + 32, place[1]);
            String message = assertThrows(InvalidProgramException.class, () -> ObjectFile.of(bytes))
                    .getMessage();
            assertTrue(message.startsWith("section 1 is not inside of the file"), message);
        }
    }

    @Test
    void theNumberOfSymbolsAndTheLengthOfNamesAreBounded() {
        int own = code("active", "r0 = 1; exit");
        writer.function("a".repeat(256), own, 0, 16);
        assertTrue(refusal().contains("a name without an end, or of 256 bytes"), this::refusal);
        for (int i = 0; i < ElfFile.MAX_SYMBOLS; i++) {
            writer.symbol("", 0, own, 0, 0);
        }
        assertTrue(refusal().contains("more than 65536 symbols"), this::refusal);
    }

    @Test
    void aFileThatIsTooLongIsNotReadWhole(@TempDir Path directory) throws IOException {
        Path path = directory.resolve("long.o");
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(1L << 30);
        }
        String message = assertThrows(InvalidProgramException.class, () -> ObjectFile.read(path))
                .getMessage();
        assertTrue(message.contains("more than 16777216 bytes"), message);
    }

    @Test
    void aChangedFileIsReadOrRefused() {
        int own = code("active", "call local -1; r1 = 2 ll; exit");
        int common = code(".text", "r0 = 1; if r0 == 1 goto +1; r0 = 2; exit");
        int data = writer.section(".rodata", ElfWriter.CONSTANT, new byte[16]);
        writer.function("entry", own, 0, 32);
        int function = writer.function("f", common, 0, 32);
        writer.relocations(own, 0, CALL, function, 8, WIDE_LOAD, writer.symbol("", ElfSymbol.SECTION, data, 0, 0));
        byte[] original = writer.toBytes();
        long seed = Long.getLong("pipedevice.test.seed", System.nanoTime());
        System.out.println("-Dpipedevice.test.seed=" + seed);
        Random random = new Random(seed);
        int read = 0;
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = original.clone();
            for (int i = random.nextInt(3); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] =
                        (byte) (random.nextBoolean() ? random.nextInt() : -random.nextInt(2));
            }
            try {
                ObjectFile file = ObjectFile.of(bytes);
                for (String each : file.functions()) {
                    file.programOf(each);
                }
                read++;
            } catch (InvalidProgramException e) {
                assertTrue(e.getMessage().length() < 2000, e::getMessage);
            }
        }
        assertTrue(read > 0, "every change makes a file unreadable");
    }
}
