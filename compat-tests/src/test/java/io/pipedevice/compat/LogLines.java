// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.util.ArrayList;
import java.util.List;

/**
 * What is amiss, by the lines that a program printed: as the JDK's log writes them, which names the class in one line and
 * the level in the next, and as log4j does, which has both in one. Of the latter only what is about PipeDevice counts, or
 * about a selector that Netty has rebuilt: libraries with log4j warn of much.
 */
final class LogLines {
    private static final String OURS = ".*(io\\.pipedevice|rebuil).*";

    private LogLines() {}

    /** What a program in order does not say. */
    static List<String> warnings(List<String> lines) {
        return lines.stream().filter(LogLines::warns).toList();
    }

    /** Those of it that are not only warnings. */
    static List<String> errors(List<String> lines) {
        return lines.stream()
                .filter(line -> line.matches(".*(SEVERE|Exception in thread).*") || inOneLine("ERROR|FATAL", line))
                .toList();
    }

    /** What the JDK says of a library of the program's own that uses sun.misc.Unsafe is no news. */
    private static boolean warns(String line) {
        boolean unsafe = line.matches("WARNING: (A terminally deprecated method in sun\\.misc\\.Unsafe"
                + "|Please consider reporting this to the maintainers|sun\\.misc\\.Unsafe::).*");
        boolean loud = line.matches(".*(WARNING|SEVERE|Exception in thread).*");
        return (loud && (!unsafe || line.contains("io.pipedevice"))) || inOneLine("WARN|ERROR|FATAL", line);
    }

    private static boolean inOneLine(String levels, String line) {
        return line.matches(".*\\b(" + levels + ")\\b.*") && line.matches(OURS);
    }

    /** What PipeDevice itself had to warn of, or what Netty thinks of its selectors. */
    static List<String> aboutPipeDevice(List<String> lines) {
        List<String> found = new ArrayList<>();
        String before = "";
        for (String line : lines) {
            boolean second = line.matches("(WARNING|SEVERE): .*");
            if (second && (before.contains(" io.pipedevice.") || line.matches(OURS))) {
                found.add(before + ": " + line);
            } else if (inOneLine("WARN|ERROR|FATAL", line)) {
                found.add(line);
            }
            before = line;
        }
        return found;
    }
}
