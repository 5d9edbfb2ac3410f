// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

/**
 * The flags of PipeDevice within the text of JAVA_TOOL_OPTIONS.
 *
 * @param start of the flags, without the space before them
 * @param end of the flags
 * @param driver the driver's directory; null if there is no such flag
 */
record JvmFlags(int start, int end, String driver) {
    static final String JAR = "pipedevice-agent.jar";
    private static final String AGENT = "-javaagent:";
    private static final String DRIVER = "-Dpipedevice.driver=";

    /** The flags that load the jar of a directory and, unless that is null, name a driver. */
    static String of(String directory, String driver) {
        return AGENT + directory + "/" + JAR + (driver == null ? "" : " " + DRIVER + driver);
    }

    /** Finds the flags that load the jar of a directory; null if there are none. */
    static JvmFlags find(String options, String directory) {
        String flag = of(directory, null);
        int start = options.indexOf(flag);
        while (start >= 0 && !isWord(options, start, start + flag.length())) {
            start = options.indexOf(flag, start + 1);
        }
        if (start < 0) {
            return null;
        }
        int end = start + flag.length();
        if (!options.startsWith(" " + DRIVER, end)) {
            return new JvmFlags(start, end, null);
        }
        int value = end + 1 + DRIVER.length();
        end = value;
        while (!isEnd(options, end)) {
            end++;
        }
        return new JvmFlags(start, end, options.substring(value, end));
    }

    private static boolean isWord(String options, int start, int end) {
        return (start == 0 || options.charAt(start - 1) == ' ') && isEnd(options, end);
    }

    private static boolean isEnd(String options, int place) {
        return place == options.length() || Character.isWhitespace(options.charAt(place));
    }

    /** The options behind which flags may be added, if there is a variable: a space divides them, also from nothing. */
    static String append(String options, String flags) {
        return options + " " + flags;
    }

    /** The options without these flags; null if there was no variable before they were added. */
    String removedFrom(String options) {
        if (start > 0) {
            return options.substring(0, start - 1) + options.substring(end);
        }
        return end == options.length() ? null : options.substring(end).stripLeading();
    }

    /** Whether other flags load PipeDevice. */
    static boolean loadsAgent(String options) {
        return options.matches("(?s).*-javaagent:\\S*pipedevice(?:-agent)?\\.jar.*");
    }

    /** Whether there is a driver already. */
    static boolean namesDriver(String options) {
        return options.contains(DRIVER);
    }
}
