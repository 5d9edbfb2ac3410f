// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.DriverContext;
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
import org.junit.jupiter.params.provider.MethodSource;

/** The table of a driver's options in docs/driver.md agrees with what the driver accepts. */
class DriverOptionsTest {
    private static final Pattern RANGE =
            Pattern.compile("(?:powers of two, )?(\\d+)([km]?) to (\\d+)(\\^46|[km]?)(s?)");

    /**
     * A row of the table.
     *
     * @param property the whole name of the property
     * @param option empty if there is only the property
     */
    record Row(String property, String option, String fallback, String allowed) {
        Matcher range() {
            return RANGE.matcher(allowed);
        }

        /** The allowed words, or both ends of the range. */
        List<String> values() {
            Matcher range = range();
            if (range.matches()) {
                return List.of(
                        range.group(1) + range.group(2) + range.group(5),
                        power(range.group(3) + range.group(4)) + range.group(5));
            }
            return Stream.of(allowed.split(", ", -1))
                    .filter(word -> word.matches("[a-z-]+"))
                    .toList();
        }

        /** The values just outside the range. */
        List<String> wrong() {
            Matcher range = range();
            if (!range.matches()) {
                return List.of("none-of-these");
            }
            List<String> wrong = new ArrayList<>();
            if (!range.group(1).equals("0")) {
                wrong.add(Long.toString(bytes(range.group(1) + range.group(2)) - 1));
            }
            wrong.add((bytes(power(range.group(3) + range.group(4))) + 1) + range.group(5));
            return wrong;
        }

        private static String power(String text) {
            return text.equals("2^46") ? Long.toString(1L << 46) : text;
        }

        private static long bytes(String text) {
            return new SizeConverter().convert(text);
        }
    }

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("../docs/driver.md"))) {
            String[] cells = line.replace("`", "").split(" *\\| *", -1);
            // A library has no set of allowed values, and is looked for when a GPU is opened.
            boolean isLibrary = cells.length == 7 && cells[1].endsWith(".library");
            if (cells.length == 7 && cells[2].matches("|--.*") && !cells[1].contains("-") && !isLibrary) {
                rows.add(new Row("pipedevice.driver." + cells[1], cells[2], cells[3].split("[ ,;]", 2)[0], cells[4]));
            }
        }
        return rows;
    }

    /** Reads a property as a driver does when it starts; throws the same exceptions. */
    private static DriverContext withProperty(Row row, String value) {
        System.setProperty(row.property(), value);
        try {
            return new DriverContext();
        } finally {
            System.clearProperty(row.property());
        }
    }

    private static DriverContext withOption(Row row, String value) {
        return ((DriverCommand) PipeDeviceCommand.commandLine(List.of())
                        .parseArgs("driver", "--dir", "none", row.option(), value)
                        .subcommand()
                        .commandSpec()
                        .userObject())
                .context();
    }

    @Test
    void tableIsFound() throws Exception {
        assertEquals(16, rows().size());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void allowedValuesAreParsed(Row row) {
        List<String> values = new ArrayList<>(row.values());
        assertFalse(values.isEmpty());
        // A default that depends on the machine is a phrase, not a value.
        if (!row.range().matches() || Character.isDigit(row.fallback().charAt(0))) {
            values.add(row.fallback());
        }
        for (String word : row.values()) {
            // case matters in the names of devices
            if (!row.property().endsWith("device")) {
                values.add(word.toUpperCase(Locale.ROOT).replace('-', '_'));
            }
        }
        for (String value : values) {
            String seen = withProperty(row, value).toString();
            if (!row.option().isEmpty()) {
                assertEquals(seen, withOption(row, value).directory(null).toString());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void otherValuesAreRefused(Row row) {
        if (row.property().endsWith("device")) {
            // the device is checked when the driver starts
            return;
        }
        for (String value : row.wrong()) {
            String said = assertThrows(IllegalArgumentException.class, () -> withProperty(row, value))
                    .getMessage();
            assertTrue(said.contains(row.property()), said);
            if (!row.option().isEmpty()) {
                assertThrows(RuntimeException.class, () -> withOption(row, value));
            }
        }
    }
}
