// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.containers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Runs programs of the system. */
final class Shell {
    private static final long TIMEOUT_S = 30;

    /** Directories of administrators' programs, which a user's PATH may lack. */
    private static final String MORE_PATH = ":/usr/local/sbin:/usr/sbin:/sbin";

    private Shell() {}

    /**
     * Runs a script of sh(1) to its end.
     *
     * @param script stops at the first command that fails
     * @param args {@code $1} and so on
     * @return its output
     * @throws IOException if it fails or takes too long; the message is its first error
     */
    static String run(String script, String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", "-ec", script, "sh"));
        command.addAll(List.of(args));
        Path output = Files.createTempFile("pipedevice-bench-", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(output.toFile());
            builder.environment().put("PATH", path());
            Process process = builder.start();
            try {
                boolean ended = process.waitFor(TIMEOUT_S, TimeUnit.SECONDS);
                String text = Files.readString(output, StandardCharsets.ISO_8859_1);
                if (!ended || process.exitValue() != 0) {
                    throw new IOException(ended ? reason(text) : "took more than " + TIMEOUT_S + " s: " + script);
                }
                return text;
            } finally {
                process.destroyForcibly();
            }
        } finally {
            Files.delete(output);
        }
    }

    /** The first error, or else the last line. */
    private static String reason(String text) {
        List<String> lines =
                text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        return lines.stream()
                .filter(line -> line.toLowerCase(Locale.ROOT).contains("error"))
                .findFirst()
                .orElse(lines.isEmpty() ? "failed" : lines.getLast());
    }

    /** Whether a program is installed. */
    static boolean has(String program) {
        for (String directory : path().split(":", -1)) {
            if (Files.isExecutable(Path.of(directory, program))) {
                return true;
            }
        }
        return false;
    }

    private static String path() {
        return System.getenv().getOrDefault("PATH", "/usr/bin:/bin") + MORE_PATH;
    }
}
