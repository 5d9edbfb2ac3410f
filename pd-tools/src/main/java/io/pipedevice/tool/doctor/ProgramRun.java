// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

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
 * Runs a program with PipeDevice until it exits, and collects the facts about its JVMs: from /proc while they run, and
 * from the reports that they leave when they end. Not thread safe.
 */
final class ProgramRun implements AutoCloseable {
    private static final String TOOL_OPTIONS = "JAVA_TOOL_OPTIONS";
    private static final Path TERMINAL_STATE = Path.of("/proc/self/stat");

    /** The first polls are close together, because many programs are short. */
    private static final long FIRST_LOOK_MILLIS = 5;

    private static final long LAST_LOOK_MILLIS = 250;

    /** How long a program may take to react to a key of its terminal before it gets a signal. */
    private static final long GRACE_SECONDS = 2;

    private final Path reports = Files.createTempDirectory("pipedevice-doctor");
    private final SortedMap<Long, JvmFacts> seen = new TreeMap<>();
    private final ProcessBuilder builder;

    /** Counted down when the program has ended and all findings are printed. */
    private final CountDownLatch done = new CountDownLatch(1);

    /**
     * Prepares a run.
     *
     * @param command the program and its arguments
     * @param agent the agent's jar
     * @throws IOException if the directory for the reports cannot be created
     */
    ProgramRun(List<String> command, Path agent) throws IOException {
        if (agent.toString().indexOf('=') >= 0) {
            throw new IOException("a path with '=' in it cannot be an agent's: " + agent);
        }
        builder = new ProcessBuilder(command).inheritIO();
        String before = builder.environment().getOrDefault(TOOL_OPTIONS, "");
        // Name the agent before other agents, which may open channels, and the property last: if it is given twice, the
        // last one counts.
        builder.environment()
                .put(
                        TOOL_OPTIONS,
                        "-javaagent:" + quoted(agent) + " " + before + " -Dpipedevice.report=" + quoted(reports));
    }

    /** Quotes a path for the JVM's variable, in which quotes of either kind group, and there is no escape character. */
    private static String quoted(Path path) {
        return "\"" + path.toString().replace("\"", "\"'\"'\"") + "\"";
    }

    /**
     * Runs the program. If this process gets a signal to end meanwhile, this passes it on to the program, and returns
     * when the program has ended.
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

    /** Runs when this process is about to end: ends the program too, and waits until the other thread has finished. */
    private void endWith(Process program) {
        try {
            // A key of the terminal reaches the program as well, so it needs no second signal.
            if (!isBeforeTerminal() || !program.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                program.destroy();
            }
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether this process is in the foreground group of its terminal. */
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
                if (facts != null && !hasEnded(facts) && (facts.stat() != null || !knowsMore(process.pid()))) {
                    seen.put(process.pid(), facts);
                }
            } catch (IOException e) {
                // The process has ended; the next poll detects that.
                return;
            }
        });
    }

    /** Whether a process ended while it was inspected, so that some facts are missing. */
    private static boolean hasEnded(JvmFacts facts) throws IOException {
        // A process that ends gives up its memory first, then its descriptors and its network namespace.
        return facts.user().isEmpty()
                || Processes.mappedFiles(Processes.directory(facts.pid())).isEmpty();
    }

    /** Whether the collected facts about a process include its page of statistics. */
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
            // The JVM did not complete its report; keep the facts that were collected before.
            return;
        }
    }

    /** The JVMs that ran, by their process numbers. */
    Collection<JvmFacts> jvms() {
        return seen.values();
    }

    /**
     * The messages of JVMs in which PipeDevice could not start, of which nothing else is known: the examination of the
     * others says why.
     */
    List<String> refusals() throws IOException {
        List<String> refusals = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(reports, "refused-*")) {
            for (Path refusal : all) {
                if (isExplained(refusal)) {
                    continue;
                }
                try (BufferedReader text = Files.newBufferedReader(refusal)) {
                    refusals.add(text.readLine());
                }
            }
        }
        return refusals;
    }

    private boolean isExplained(Path refusal) {
        JvmFacts jvm = seen.get(Long.parseLong(refusal.getFileName().toString().split("-", -1)[1]));
        return jvm != null && WhyOff.of(jvm) != null;
    }

    /** Ends the run: removes the reports of the JVMs, and lets this process end. */
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
