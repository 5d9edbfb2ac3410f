// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/properties.md says what a program's properties allow in the words of their refusals. */
@Isolated("it sets system properties")
class PropertiesTableTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(pipedevice[a-z.]+)` \\| [^|]* \\| ([^|]*) \\|");

    record Row(String property, String allowed) {
        static Row of(MatchResult match) {
            return new Row(match.group(1), match.group(2));
        }
    }

    private static List<Row> rows() throws IOException {
        return ROW.matcher(Files.readString(Path.of("../docs/properties.md")))
                .results()
                .map(Row::of)
                .toList();
    }

    @Test
    void tableIsFound() throws IOException {
        assertEquals(14, rows().size());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void allowedValuesAreThoseOfTheRefusal(Row row) {
        System.setProperty(row.property(), "");
        try {
            assertEquals(
                    row.property() + " = ; allowed: " + row.allowed(),
                    assertThrows(IllegalArgumentException.class, Settings::read).getMessage());
        } finally {
            System.clearProperty(row.property());
        }
    }
}
