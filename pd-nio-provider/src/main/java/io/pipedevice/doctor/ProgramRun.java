// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.doctor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs a program with PipeDevice to its end, and gathers what can be known of the JVMs in it: what is seen under /proc
 * while they run, and what they leave when they end. Not thread safe.
 */
final class ProgramRun implements AutoCloseable {
    private static final String TOOL_OPTIONS = "JAVA_TOOL_OPTIONS";
    private static final Path TERMINAL_STATE = Path.of("/proc/self/stat");

    /** Looks are close together at first, because many a program is short. */
    private static final long FIRST_LOOK_MILLIS = 5;

    private static final long LAST_LOOK_MILLIS = 250;

    /** How long a program may take to hear of a key of its terminal before it is told by a signal. */
    private static final long GRACE_SECONDS = 2;

    private final Path reports = Files.createTempDirectory("pipedevice-doctor");
    private final SortedMap<Long, JvmFacts> seen = new TreeMap<>();
    private final ProcessBuilder builder;

    /** The program is over, and what there is to say has been said. */
    private final CountDownLatch done = new CountDownLatch(1);

    /**
     * Prepares a run.
     *
     * @param command the program and its arguments
     * @param agent the agent's jar
     * @throws IOException if there is no room for the reports
     */
    ProgramRun(List<String> command, Path agent) throws IOException {
        if (agent.toString().indexOf('=') >= 0) {
            throw new IOException("a path with '=' in it cannot be an agent's: " + agent);
        }
        builder = new ProcessBuilder(command).inheritIO();
        String before = builder.environment().getOrDefault(TOOL_OPTIONS, "");
        // Before other agents, which may open channels; and a property that is given twice is the last one.
        builder.environment()
                .put(
                        TOOL_OPTIONS,
                        "-javaagent:" + quoted(agent) + " " + before + " -Dpipedevice.report=" + quoted(reports));
    }

    /** As the JVM reads its variable: quotes of either kind group, and nothing escapes. */
    private static String quoted(Path path) {
        return "\"" + path.toString().replace("\"", "\"'\"'\"") + "\"";
    }

    /**
     * Runs the program. If this process is told to end meanwhile, the program is told, and this returns when it has ended.
     *
     * @return its exit code
     * @throws IOException if it cannot be started
     */
    int run() throws IOException, InterruptedException {
        Process program = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endWith(program), "doctor-end"));
        long wait = FIRST_LOOK_MILLIS;
        do {
            look(program.toHandle());
            wait = Math.min(wait + wait / 8 + 1, LAST_LOOK_MILLIS);
        } while (!program.waitFor(wait, TimeUnit.MILLISECONDS));
        readReports();
        return program.exitValue();
    }

    /** Runs when this process is told to end: passes that on, and lets the other thread finish. */
    private void endWith(Process program) {
        try {
            // A key of the terminal reaches the program as well, which then is not told twice.
            if (!isBeforeTerminal() || !program.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                program.destroy();
            }
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether this process is of the group that its terminal's keys are for. */
    private static boolean isBeforeTerminal() {
        try {
            String stat = Files.readString(TERMINAL_STATE);
            // After the name in parentheses: state, parent, group, session, terminal, foreground group.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields[2].equals(fields[5]);
        } catch (IOException e) {
            return false;
        }
    }

    private void look(ProcessHandle program) {
        Stream.concat(Stream.of(program), program.descendants()).forEach(process -> {
            try {
                JvmFacts facts = JvmFacts.of(process.pid());
                if (facts != null && (facts.stat() != null || !knowsMore(process.pid()))) {
                    seen.put(process.pid(), facts);
                }
            } catch (IOException e) {
                // It has ended, which the next look sees.
                return;
            }
        });
    }

    /** Whether something was seen of a process that is more than what is seen of one without a page. */
    private boolean knowsMore(long pid) {
        JvmFacts facts = seen.get(pid);
        return facts != null && facts.stat() != null;
    }

    private void readReports() throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(reports, "[0-9]*")) {
            for (Path report : all) {
                readReport(report);
            }
        }
    }

    private void readReport(Path report) {
        long pid = Long.parseLong(report.getFileName().toString());
        try {
            seen.put(pid, JvmFacts.left(pid, report, seen.get(pid)));
        } catch (IOException e) {
            // The JVM did not come to finish it: what was seen before has to do.
            return;
        }
    }

    /** The JVMs that ran, by their process numbers. */
    Collection<JvmFacts> jvms() {
        return seen.values();
    }

    /** What JVMs said that PipeDevice could not start in. */
    List<String> refusals() throws IOException {
        List<String> refusals = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(reports, "refused*")) {
            for (Path refusal : all) {
                try (BufferedReader text = Files.newBufferedReader(refusal)) {
                    refusals.add(text.readLine());
                }
            }
        }
        return refusals;
    }

    /** Ends the run: removes what JVMs left, and lets this process go. */
    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(reports)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            done.countDown();
        }
    }
}
