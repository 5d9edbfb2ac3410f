// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.cuda.CudaProvider;
import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.DriverOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * A driver's options are the same in docs/driver.md and on the command line, and accept what they say, as a property
 * and on the command line.
 */
class DriverOptionsTest {
    private static final Pattern RANGE =
            Pattern.compile("(powers of two from )?(\\d+[kmg]?) to (\\d+[kmg]?)(s?)(?:, with ns, us, ms or s)?");

    private static final Pattern WORD = Pattern.compile("[a-z-]+");

    /** A row of the table, as text. */
    record Row(String property, String option, String byDefault, String allowed) {
        static Row of(DriverOption option) {
            String name = option.commandLineName();
            return new Row(option.property(), name == null ? "" : name, option.defaultText(), option.allowed());
        }
    }

    private static List<Row> table() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("../docs/driver.md"))) {
            String[] cells = line.replace("`", "").split(" *\\| *", -1);
            if (cells.length == 7 && cells[2].matches("|--.*") && !cells[1].contains("-")) {
                rows.add(new Row("pipedevice.driver." + cells[1], cells[2], cells[3], cells[4]));
            }
        }
        return rows;
    }

    /** Allowed words, or both ends of the range. */
    private static List<String> allowed(DriverOption option) {
        Matcher range = RANGE.matcher(option.allowed());
        return range.matches()
                ? List.of(range.group(2) + range.group(4), range.group(3) + range.group(4))
                : Stream.of(option.allowed().split(", ", -1))
                        .filter(WORD.asMatchPredicate())
                        .toList();
    }

    /** Values just outside of what is allowed. */
    private static List<String> wrong(DriverOption option) {
        Matcher range = RANGE.matcher(option.allowed());
        if (!range.matches()) {
            return List.of("none-of-these");
        }
        long min = bytes(range.group(2));
        List<String> wrong = new ArrayList<>(List.of("many", bytes(range.group(3)) + 1 + range.group(4)));
        if (min > 0) {
            wrong.add(Long.toString(min - 1));
        }
        if (range.group(1) != null) {
            wrong.add(Long.toString(min * 3));
        }
        return wrong;
    }

    private static long bytes(String text) {
        return new SizeConverter().convert(text);
    }

    /** Reads a property as a driver does when it starts; throws the same exceptions. */
    private static DriverContext withProperty(DriverOption option, String value) {
        System.setProperty(option.property(), value);
        try {
            return new DriverContext();
        } finally {
            System.clearProperty(option.property());
        }
    }

    private static DriverContext withArguments(String... arguments) {
        List<String> all = new ArrayList<>(List.of("driver", "--dir", "none"));
        all.addAll(List.of(arguments));
        CommandLine line = PipeDeviceCommand.commandLine(List.of());
        DriverCommand command = (DriverCommand) line.parseArgs(all.toArray(String[]::new))
                .subcommand()
                .commandSpec()
                .userObject();
        return command.context().directory(null);
    }

    @Test
    void tableOfTheDocumentationHasAllOptions() throws IOException {
        List<Row> table = table();
        // the last row is a property of the devices at cuda:
        assertEquals(CudaProvider.LIBRARY_PROP_NAME, table.removeLast().property());
        assertEquals(Stream.of(DriverOption.values()).map(Row::of).toList(), table);
    }

    @ParameterizedTest
    @EnumSource
    void allowedValuesAreParsed(DriverOption option) {
        List<String> values = new ArrayList<>(allowed(option));
        assertFalse(values.isEmpty());
        // A default that depends on the machine begins with a value, or is a phrase.
        String byDefault = option.defaultText().split(";", 2)[0];
        if (!byDefault.contains(" ")) {
            values.add(byDefault);
        }
        for (String word : allowed(option)) {
            // case matters in the names of devices
            if (option != DriverOption.DEVICE) {
                values.add(word.toUpperCase(Locale.ROOT).replace('-', '_'));
            }
        }
        for (String value : values) {
            String seen = withProperty(option, value).toString();
            assertEquals(seen, new DriverContext().set(option, value).toString());
            if (option.commandLineName() != null) {
                assertEquals(
                        seen, withArguments(option.commandLineName(), value).toString());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEVICE") // whose names are checked when the driver starts
    void otherValuesAreRefused(DriverOption option) {
        for (String value : wrong(option)) {
            String said = assertThrows(IllegalArgumentException.class, () -> withProperty(option, value))
                    .getMessage();
            assertTrue(said.startsWith(option.property() + " = "), said);
            assertTrue(said.endsWith("; allowed: " + option.allowed()), said);
            if (option.commandLineName() != null) {
                assertEquals(
                        option.commandLineName() + ": " + said,
                        assertThrows(ParameterException.class, () -> withArguments(option.commandLineName(), value))
                                .getMessage());
            }
        }
    }

    @Test
    void devicesAreNamedTogetherOrOneByOne() {
        String seen = withArguments("--device", "cuda:0,emulator", "--device", "vfio:0000:00:03.0")
                .toString();
        assertTrue(seen.contains(" device=cuda:0,emulator,vfio:0000:00:03.0,"), seen);
    }

    @Test
    void usageShowsDefaultsAndAllowedValues() {
        String usage = PipeDeviceCommand.commandLine(List.of())
                .getSubcommands()
                .get("driver")
                .setUsageHelpWidth(300)
                .getUsageMessage();
        for (DriverOption option : DriverOption.values()) {
            String said = "--"
                    + option.property().substring("pipedevice.driver.".length()).replace('.', '-') + "=";
            assertEquals(option.commandLineName() != null, usage.contains(said), usage);
            if (option.commandLineName() != null) {
                String end = "(default: " + option.defaultText() + "; allowed: " + option.allowed() + ").";
                assertTrue(usage.contains(said + option.parameter()), usage);
                assertTrue(usage.contains(option.description() + " " + end), usage);
            }
        }
    }
}
