// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.property.KnownProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The known property names are those of the documentation. */
class KnownPropertiesTest {
    private static final Path DOCS = Path.of("..", "docs");

    @Test
    void areThoseOfTheDocumentation() throws IOException {
        Set<String> documented = new TreeSet<>();
        collect("properties.md", "(?m)^\\| `(pipedevice\\.[a-z.]+)` \\|", "", documented);
        collect("driver.md", "(?m)^\\| `([a-z.]+)` \\| (?:`--.*?`)? ?\\|", "pipedevice.driver.", documented);
        assertEquals(documented, new TreeSet<>(Set.of(KnownProperties.names())));
    }

    private static void collect(String file, String row, String prefix, Set<String> names) throws IOException {
        Matcher rows = Pattern.compile(row).matcher(Files.readString(DOCS.resolve(file)));
        while (rows.find()) {
            names.add(prefix + rows.group(1));
        }
    }
}
