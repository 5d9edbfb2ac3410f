// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/concurrency.md names tests that there are, and all tests of jcstress. */
final class ConcurrencyPromisesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|Stress))(?:\\.(\\w+))?`");

    /** What is in the test classes of all modules, by their simple names, of which some have two. */
    private final Map<String, StringBuilder> sources = new HashMap<>();

    private final List<String> named = new ArrayList<>();

    ConcurrencyPromisesTest() throws IOException {
        for (String module : List.of("pd-native", "pd-device", "pd-nio-provider", "compat-tests")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    String name = file.getFileName().toString().replace(".java", "");
                    sources.computeIfAbsent(name, key -> new StringBuilder()).append(Files.readString(file));
                }
            }
        }
    }

    @Test
    void namesTestsThatThereAre() throws IOException {
        Matcher matcher = NAMED.matcher(Files.readString(ROOT.resolve("docs/concurrency.md")));
        while (matcher.find()) {
            StringBuilder source = sources.get(matcher.group(1));
            boolean known = source != null
                    && (matcher.group(2) == null || source.indexOf("void " + matcher.group(2) + "(") >= 0);
            assertTrue(known, "there is no " + matcher.group());
            named.add(matcher.group(1));
        }
        TreeSet<String> stress = new TreeSet<>(sources.keySet());
        stress.removeIf(name -> !name.endsWith("Stress"));
        stress.removeAll(named);
        assertEquals(new TreeSet<>(), stress, "tests of which no promise is named");
    }
}
