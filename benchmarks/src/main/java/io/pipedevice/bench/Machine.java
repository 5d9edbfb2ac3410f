// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Facts from proc(5) about the machine. The results depend on them. */
public final class Machine {
    private static final Path CONGESTION_CONTROL = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

    private Machine() {}

    /**
     * The processors' name and number.
     *
     * @return text for a report
     */
    public static String processors() {
        return field(Path.of("/proc/cpuinfo"), "model name") + ", "
                + Runtime.getRuntime().availableProcessors() + " processors";
    }

    /**
     * The size of the memory.
     *
     * @return text for a report
     */
    public static String memory() {
        return field(Path.of("/proc/meminfo"), "MemTotal");
    }

    /**
     * The load of the processors over the last minute.
     *
     * @return text for a report
     */
    public static String loadAverage() {
        String all = lines(Path.of("/proc/loadavg"));
        return all.contains(" ") ? all.substring(0, all.indexOf(' ')) : all;
    }

    /**
     * Name, version and architecture of the system.
     *
     * @return text for a report
     */
    public static String kernel() {
        return System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch");
    }

    /**
     * Name and version of this JVM.
     *
     * @return text for a report
     */
    public static String jvm() {
        return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
    }

    /**
     * The congestion control of TCP in this process's network namespace.
     *
     * @return text for a report
     */
    public static String congestionControl() {
        return lines(CONGESTION_CONTROL).strip();
    }

    /**
     * The pages of the shared memory that a process has mapped.
     *
     * @param pid of the process
     * @return such as {@code 2048 kB} or {@code 2048 kB and 4 kB}, or {@code unknown}
     */
    public static String pages(int pid) {
        return pages(lines(Path.of("/proc/" + pid + "/smaps")));
    }

    static String pages(String smaps) {
        Map<Integer, String> kinds = new TreeMap<>();
        boolean ring = false;
        for (String line : (Iterable<String>) smaps.lines()::iterator) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                ring = line.contains("memfd:pd-send") || line.contains("memfd:pd-receive");
            } else if (ring && line.startsWith("KernelPageSize:")) {
                String kb = line.replaceAll("[^0-9]", "");
                kinds.put(-Integer.parseInt(kb), kb + " kB");
            }
        }
        return kinds.isEmpty() ? "unknown" : String.join(" and ", kinds.values());
    }

    private static String field(Path file, String name) {
        for (String line : (Iterable<String>) lines(file).lines()::iterator) {
            if (line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT))) {
                return line.substring(line.indexOf(':') + 1).strip();
            }
        }
        return "unknown " + name;
    }

    private static String lines(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "unknown";
        }
    }
}
