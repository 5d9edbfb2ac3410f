// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes values made of {@code Map}, {@code List}, {@code String}, {@code Integer} and {@code Boolean}. YAML 1.1 and 1.2
 * read them alike: a text that either could take for something else is quoted.
 */
final class YamlWriter {
    private static final Pattern PLAIN =
            Pattern.compile("(?:[A-Za-z/]|--?[a-z])[A-Za-z0-9/_.=-]*(?::[A-Za-z0-9/_.=-]+)*"
                    + "(?: -[a-zA-Z][A-Za-z0-9/_.=-]*(?::[A-Za-z0-9/_.=-]+)*)*");
    private static final Pattern WORD_WITH_A_MEANING =
            Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null|[-+]?\\.?(?:inf|nan)");

    private YamlWriter() {}

    /** One line in flow style, as JSON. */
    static String flow(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(each -> quoted((String) each.getKey()) + ": " + flow(each.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(YamlWriter::flow).collect(Collectors.joining(", ", "[", "]"));
        }
        return value instanceof String string ? quoted(string) : value.toString();
    }

    /** The lines of an entry of a mapping in block style, without indentation. */
    static List<String> entry(String key, Object value) {
        List<String> lines = new ArrayList<>();
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            lines.add(key + ":");
            map.forEach((inner, each) -> entry((String) inner, each).forEach(line -> lines.add("  " + line)));
        } else if (value instanceof List<?> list && list.stream().allMatch(each -> each instanceof Map)) {
            lines.add(key + ":");
            list.forEach(each -> item(each).forEach(line -> lines.add("  " + line)));
        } else if (value instanceof List<?> list) {
            lines.add(key + ": " + list.stream().map(YamlWriter::scalar).collect(Collectors.joining(", ", "[", "]")));
        } else {
            lines.add(key + ": " + scalar(value));
        }
        return lines;
    }

    /** The lines of an item of a list in block style: a mapping that is not empty. */
    static List<String> item(Object value) {
        List<String> lines = new ArrayList<>();
        ((Map<?, ?>) value).forEach((key, each) -> lines.addAll(entry((String) key, each)));
        for (int i = 0; i < lines.size(); i++) {
            lines.set(i, (i == 0 ? "- " : "  ") + lines.get(i));
        }
        return lines;
    }

    private static String scalar(Object value) {
        if (!(value instanceof String string)) {
            return value instanceof Map ? "{}" : value.toString();
        }
        boolean isPlain = PLAIN.matcher(string).matches()
                && !WORD_WITH_A_MEANING.matcher(string).matches();
        return isPlain ? string : quoted(string);
    }

    /** A text as JSON, in ASCII: YAML 1.1 takes some other characters for ends of lines. */
    static String quoted(String text) {
        StringBuilder result = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                result.append('\\').append(c);
            } else if (c == '\n') {
                result.append("\\n");
            } else if (c < ' ' || c > '~') {
                result.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                result.append(c);
            }
        }
        return result.append('"').toString();
    }
}
