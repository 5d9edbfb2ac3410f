// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds warnings and errors in a program's output. The JDK's log has the class in one line and the level in the next;
 * log4j has both in one line. Of log4j's lines only those about PipeDevice count, or about a selector that Netty has
 * rebuilt, because libraries with log4j warn often.
 */
final class LogLines {
    private static final String OURS = ".*(io\\.pipedevice|rebuil).*";

    private LogLines() {}

    /** The lines that a program in order does not print. */
    static List<String> warnings(List<String> lines) {
        return lines.stream().filter(LogLines::warns).toList();
    }

    /** The lines that are errors. */
    static List<String> errors(List<String> lines) {
        return lines.stream()
                .filter(line -> line.matches(".*(SEVERE|Exception in thread).*") || inOneLine("ERROR|FATAL", line))
                .toList();
    }

    /** The JDK's warnings about a program's library that uses sun.misc.Unsafe do not count. */
    private static boolean warns(String line) {
        boolean unsafe = line.matches("WARNING: (A terminally deprecated method in sun\\.misc\\.Unsafe"
                + "|Please consider reporting this to the maintainers|sun\\.misc\\.Unsafe::).*");
        boolean loud = line.matches(".*(WARNING|SEVERE|Exception in thread).*");
        return (loud && (!unsafe || line.contains("io.pipedevice"))) || inOneLine("WARN|ERROR|FATAL", line);
    }

    private static boolean inOneLine(String levels, String line) {
        return line.matches(".*\\b(" + levels + ")\\b.*") && line.matches(OURS);
    }

    /** Warnings of PipeDevice itself, or of Netty about its selectors. */
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
