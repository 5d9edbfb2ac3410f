// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * docs/concurrency.md names only existing tests, all jcstress tests, and all public types with a promise to threads;
 * docs/security.md names only existing tests.
 */
final class ConcurrencyPromisesTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> MODULES =
            List.of("pd-native", "pd-device", "pd-device-model", "pd-active", "pd-nio-provider", "pd-tools");

    /** A type, of any kind; an interface's members are all public. */
    private static final Pattern TYPE = Pattern.compile("(?m)^public .*\\b(class|record|enum|interface) (\\w+)");

    private static final Pattern COMMENT = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);

    /** A public declaration after a comment. */
    private static final Pattern PUBLIC =
            Pattern.compile("\\s*(?:@[\\w.]+(?:\\([^)]*\\))?\\s+)*(?:public|protected)\\b");

    /** Excludes types that are declared unsafe, and callbacks that run on any thread. */
    private static final Pattern PROMISE = Pattern.compile(
            "(?i)(?<!not )\\bthread[- ]safe|(?<!\\bon )\\bany thread\\b|\\bany number of threads\\b|\\bseveral threads may\\b");

    private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|Stress))(?:\\.(\\w+))?`");

    private static final Pattern ACTOR = Pattern.compile("(?m)^ *@Actor$");

    /** The sources of the test classes of all modules, by their simple names; some names occur twice. */
    private final Map<String, StringBuilder> sources = new HashMap<>();

    private final List<String> named = new ArrayList<>();

    ConcurrencyPromisesTest() throws IOException {
        for (String module : Stream.concat(
                        MODULES.stream(),
                        Stream.of("nio-tests", "system-tests", "agent-tests", "stress-tests", "compat-tests"))
                .toList()) {
            for (Path file : filesOf(module, "src/test/java")) {
                String name = file.getFileName().toString().replace(".java", "");
                sources.computeIfAbsent(name, key -> new StringBuilder()).append(Files.readString(file));
            }
        }
    }

    private static List<Path> filesOf(String module, String directory) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve(directory))) {
            return files.filter(path -> path.toString().endsWith(".java")).toList();
        }
    }

    private static String document() throws IOException {
        return Files.readString(ROOT.resolve("docs/concurrency.md"));
    }

    private void requireTests(String document) {
        Matcher matcher = NAMED.matcher(document);
        while (matcher.find()) {
            StringBuilder source = sources.get(matcher.group(1));
            boolean known = source != null
                    && (matcher.group(2) == null || source.indexOf("void " + matcher.group(2) + "(") >= 0);
            assertTrue(known, "there is no " + matcher.group());
            named.add(matcher.group(1));
        }
        assertFalse(named.isEmpty(), "the document is not read as it is written");
    }

    @Test
    void namesTestsThatThereAre() throws IOException {
        requireTests(document());
        TreeSet<String> stress = new TreeSet<>(sources.keySet());
        stress.removeIf(name -> !name.endsWith("Stress"));
        stress.removeAll(named);
        assertEquals(new TreeSet<>(), stress, "tests of which no promise is named");
    }

    @Test
    void thePageAboutSecurityNamesTestsThatThereAre() throws IOException {
        requireTests(Files.readString(ROOT.resolve("docs/security.md")));
    }

    /** jcstress silently omits tests that have more threads than there are processors. */
    @Test
    void eachTestOfJcstressRunsOnTwoProcessors() {
        sources.forEach((name, source) -> {
            if (name.endsWith("Stress")) {
                assertEquals(2, ACTOR.matcher(source).results().count(), () -> "threads of " + name);
            }
        });
    }

    @Test
    void namesThePublicTypesThatPromiseThreadsAnything() throws IOException {
        TreeSet<String> promising = new TreeSet<>();
        for (String module : MODULES) {
            for (Path file : filesOf(module, "src/main/java")) {
                String source = Files.readString(file);
                Matcher type = TYPE.matcher(source);
                if (type.find() && promises(source, type.group(1).equals("interface"))) {
                    promising.add(type.group(2));
                }
            }
        }
        assertTrue(promising.contains("PdSocket"), "the Javadoc is not read as it is written");
        String rows = document().lines().filter(line -> line.startsWith("|")).collect(Collectors.joining());
        promising.removeIf(name ->
                Pattern.compile("`(?:\\w+\\.)*" + name + "`").matcher(rows).find());
        assertEquals(new TreeSet<>(), promising, "types whose promises have no row");
    }

    private static boolean promises(String source, boolean allPublic) {
        Matcher comment = COMMENT.matcher(source);
        Matcher next = PUBLIC.matcher(source);
        while (comment.find()) {
            String text = comment.group(1).replaceAll("\\s*\\n\\s*\\*?\\s*", " ");
            boolean isPublic =
                    allPublic || next.region(comment.end(), source.length()).lookingAt();
            if (isPublic && PROMISE.matcher(text).find()) {
                return true;
            }
        }
        return false;
    }
}
