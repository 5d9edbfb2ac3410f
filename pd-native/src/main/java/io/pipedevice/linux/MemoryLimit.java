// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The memory that this process may have: that of the machine, or the smallest limit of its control group and of those
 * above it, of version 1 or 2. The limits of groups that no mount shows, such as those above a container's, are known
 * of version 1 only, and count there. Stateless.
 */
public final class MemoryLimit {
    /** The memory of a machine that does not say how much it has. */
    private static final long UNKNOWN = 4L << 30;

    private static final long NONE = Long.MAX_VALUE;

    private static final int FIRST_OPTIONAL_FIELD = 6;

    /** Beyond the hard limit there is a soft one, at which the kernel slows the processes of a group down. */
    private static final List<String> LIMITS = List.of("memory.limit_in_bytes", "memory.max", "memory.high");

    private MemoryLimit() {}

    /**
     * A hierarchy of control groups, as far as it is mounted.
     *
     * @param root the group that the mount shows at its top
     * @param point the directory of the mount
     * @param isFirstVersion whether it is one of version 1
     */
    private record Mount(String root, Path point, boolean isFirstVersion) {}

    /**
     * The memory that this process may have.
     *
     * @return in bytes
     */
    public static long ofProcess() {
        return of(Path.of("/"));
    }

    /** The same, for a process whose root directory, with /proc and the mounted control groups, is somewhere else. */
    static long of(Path root) {
        long limit = machine(root);
        List<String> groups = lines(root.resolve("proc/self/cgroup"));
        for (String line : lines(root.resolve("proc/self/mountinfo"))) {
            Mount mount = mount(root, line);
            String group = mount == null ? null : group(groups, mount.isFirstVersion);
            if (group != null) {
                limit = Math.min(limit, limit(mount, group));
            }
        }
        return limit;
    }

    private static long machine(Path root) {
        for (String line : lines(root.resolve("proc/meminfo"))) {
            if (line.startsWith("MemTotal:")) {
                long kilobytes = number(line.replaceAll("[^0-9]", ""));
                return kilobytes == NONE ? UNKNOWN : kilobytes << 10;
            }
        }
        return UNKNOWN;
    }

    /** The mount of a line of /proc/PID/mountinfo; null if it has no limits of memory. */
    private static Mount mount(Path root, String line) {
        String[] fields = line.split(" ", -1);
        int end = Arrays.asList(fields).indexOf("-");
        if (end < FIRST_OPTIONAL_FIELD || end + 3 >= fields.length) {
            return null;
        }
        boolean first = fields[end + 1].equals("cgroup")
                && Arrays.asList(fields[end + 3].split(",")).contains("memory");
        if (!first && !fields[end + 1].equals("cgroup2")) {
            return null;
        }
        try {
            return new Mount(
                    unescaped(fields[3]), root.resolve(unescaped(fields[4]).substring(1)), first);
        } catch (RuntimeException e) {
            // The name of the directory cannot be represented.
            return null;
        }
    }

    /** Spaces and some others are written as three octal digits. */
    private static String unescaped(String path) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) == '\\' && i + 3 < path.length()) {
                text.append((char) Integer.parseInt(path.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                text.append(path.charAt(i));
            }
        }
        return text.toString();
    }

    /** The group of the process in the hierarchy that has its memory; null if it has none of that version. */
    private static String group(List<String> groups, boolean isFirstVersion) {
        for (String line : groups) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3
                    && (isFirstVersion
                            ? Arrays.asList(parts[1].split(",")).contains("memory")
                            : parts[0].equals("0") && parts[1].isEmpty())) {
                return parts[2];
            }
        }
        return null;
    }

    /** The smallest limit on the way from a group to the top of the mount. */
    private static long limit(Mount mount, String group) {
        long limit = NONE;
        Path directory = directory(mount, group);
        if (mount.isFirstVersion) {
            limit = hierarchical(directory);
        }
        for (; directory != null && directory.startsWith(mount.point); directory = directory.getParent()) {
            for (String file : LIMITS) {
                limit = Math.min(limit, read(directory.resolve(file)));
            }
        }
        return limit;
    }

    /**
     * The directory of a group. The mount of a container shows the container's own group at its top, while the group
     * has its name from outside, or a name that leads out of the container's namespace.
     */
    private static Path directory(Mount mount, String group) {
        String below = null;
        if (mount.root.equals("/")) {
            below = group;
        } else if (group.equals(mount.root) || group.startsWith(mount.root + "/")) {
            below = group.substring(mount.root.length());
        }
        if (below == null || Arrays.asList(below.split("/")).contains("..")) {
            return mount.point;
        }
        try {
            Path directory = mount.point.resolve(below.replaceFirst("^/+", "")).normalize();
            return Files.isDirectory(directory) ? directory : mount.point;
        } catch (RuntimeException e) {
            // The name of the group cannot be represented.
            return mount.point;
        }
    }

    /** The limit of a group of version 1 with all groups above it, also those that are not mounted. */
    private static long hierarchical(Path directory) {
        for (String line : lines(directory.resolve("memory.stat"))) {
            if (line.startsWith("hierarchical_memory_limit ")) {
                return number(line.substring(line.indexOf(' ') + 1));
            }
        }
        return NONE;
    }

    /** The limit in a file. The value "max" and a missing file mean that there is none. */
    private static long read(Path file) {
        List<String> lines = lines(file);
        return lines.isEmpty() ? NONE : number(lines.getFirst());
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            return NONE;
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException | RuntimeException e) {
            return List.of();
        }
    }
}
