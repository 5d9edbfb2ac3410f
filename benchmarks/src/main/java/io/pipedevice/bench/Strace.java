// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Counts the system calls of all threads of a process with strace(1), until {@link #detach}. Used by one thread. */
public final class Strace implements AutoCloseable {
    private static final long TIMEOUT_S = 10;

    private final Process process;
    private final Path summary;

    private Strace(Process process, Path summary) {
        this.process = process;
        this.summary = summary;
    }

    /**
     * Searches for strace(1).
     *
     * @return whether it is installed
     */
    public static boolean isAvailable() {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            if (Files.isExecutable(Path.of(directory, "strace"))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Begins to count. When this returns, every existing thread is being traced.
     *
     * @param pid of the process
     * @return the tracer, for the caller to close
     * @throws IOException if the process cannot be traced
     */
    public static Strace attach(int pid) throws IOException {
        Path summary = Files.createTempFile("pipedevice-bench-", ".strace");
        Process process = null;
        try {
            process = new ProcessBuilder("strace", "-f", "-c", "-o", summary.toString(), "-p", Integer.toString(pid))
                    .redirectErrorStream(true)
                    .start();
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            String line = reader.readLine();
            if (line == null || !line.contains("attached")) {
                throw new IOException("strace cannot attach to process " + pid + ": " + line);
            }
            return new Strace(process, summary);
        } catch (IOException e) {
            if (process != null) {
                process.destroyForcibly();
            }
            Files.deleteIfExists(summary);
            throw e;
        }
    }

    /**
     * Ends the counting.
     *
     * @return the number of calls by their names
     * @throws IOException if strace fails
     * @throws InterruptedException if the thread is interrupted
     */
    public Map<String, Long> detach() throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
            throw new IOException("strace did not end in time");
        }
        return parse(Files.readString(summary));
    }

    /**
     * Reads a summary; there is none if nothing was called.
     *
     * <pre>
     * % time     seconds  usecs/call     calls    errors syscall
     * ------ ----------- ----------- --------- --------- ----------------
     *  66.67    0.000052           1        41        12 poll
     *  33.33    0.000027           2        12           sendto
     * ------ ----------- ----------- --------- --------- ----------------
     * 100.00    0.000079           1        53        12 total
     * </pre>
     */
    static Map<String, Long> parse(String summary) {
        Map<String, Long> calls = new TreeMap<>();
        for (String line : (Iterable<String>) summary.lines()::iterator) {
            String[] fields = line.strip().split(" +", -1);
            String name = fields[fields.length - 1];
            if (fields.length >= 5 && Character.isDigit(fields[0].charAt(0)) && !name.equals("total")) {
                calls.put(name, Long.parseLong(fields[3]));
            }
        }
        return calls;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            Files.deleteIfExists(summary);
        } catch (IOException e) {
            System.getLogger(Strace.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot remove {0}: {1}", summary, e.getMessage());
        }
    }
}
