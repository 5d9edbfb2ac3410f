// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.linux.ProcessFacts;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The processor time of all threads of some processes at one moment, to the nanosecond, from their schedstat. */
final class ThreadTimes {
    private final Map<String, Long> nanos = new HashMap<>();

    /**
     * The kernel's threads for soft interrupts: what it does for the network outside of any process. None where they
     * cannot be seen, as in a PID namespace.
     */
    static List<Integer> softInterrupts() throws IOException {
        List<Integer> threads = new ArrayList<>();
        try (DirectoryStream<Path> proc = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : proc) {
                if (isSoftInterrupt(process)) {
                    threads.add(Integer.valueOf(process.getFileName().toString()));
                }
            }
        }
        return threads;
    }

    private static boolean isSoftInterrupt(Path process) {
        try {
            return Files.readString(process.resolve("comm"), StandardCharsets.ISO_8859_1)
                    .startsWith("ksoftirqd/");
        } catch (IOException e) {
            // The process has ended meanwhile.
            return false;
        }
    }

    /** The processor time that these processes have used so far. */
    static ThreadTimes of(Iterable<Integer> pids) throws IOException {
        ThreadTimes times = new ThreadTimes();
        for (int pid : pids) {
            Path tasks = Path.of("/proc", Integer.toString(pid), "task");
            String[] threads = new File(tasks.toString()).list();
            if (threads == null) {
                throw new IOException("cannot list " + tasks);
            }
            for (String thread : threads) {
                times.add(thread, tasks.resolve(thread).resolve("schedstat"));
            }
        }
        return times;
    }

    /**
     * The same without the threads: to 10 ms, but without a file for each of thousands of threads, for which this
     * process would have to compete with them.
     */
    static ThreadTimes ofProcesses(Iterable<Integer> pids) throws IOException {
        ThreadTimes times = new ThreadTimes();
        for (int pid : pids) {
            times.add(Integer.toString(pid), (long) (ProcessFacts.cpuSeconds(pid) * 1e9));
        }
        return times;
    }

    private void add(String thread, Path file) throws IOException {
        String line;
        try {
            line = Files.readString(file, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            if (Files.exists(file.getParent())) {
                throw e;
            }
            // The thread has ended meanwhile.
            return;
        }
        add(thread, Long.parseLong(line.substring(0, line.indexOf(' '))));
    }

    void add(String thread, long used) {
        nanos.put(thread, used);
    }

    /** Seconds used since an earlier moment, without those of threads that have ended. */
    double secondsSince(ThreadTimes earlier) {
        long sum = 0;
        for (Map.Entry<String, Long> entry : nanos.entrySet()) {
            sum += entry.getValue() - earlier.nanos.getOrDefault(entry.getKey(), 0L);
        }
        return sum / 1e9;
    }
}
