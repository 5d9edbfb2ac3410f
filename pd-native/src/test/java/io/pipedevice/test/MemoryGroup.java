// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A control group with a memory limit, of version 1 or 2, whichever has the memory controller here. The kernel kills a
 * process in it that needs more.
 */
public final class MemoryGroup extends TestGroup {
    private static final Path VERSION_1 = SYSTEM.resolve("memory");

    private MemoryGroup(Path parent, boolean first) throws IOException {
        super(parent, first);
    }

    /** Creates a group of a limit in bytes. The test is skipped where this process may not create one. */
    public static MemoryGroup of(long limit) throws IOException {
        Path parent = parent();
        assumeTrue(parent != null && Files.isWritable(parent), "no memory controller, or no right to make a group");
        return create(parent, Files.exists(VERSION_1.resolve("cgroup.procs")), limit);
    }

    /** Creates a group of a limit in bytes; null where this process may not create one. */
    public static MemoryGroup possible(long limit) throws IOException {
        Path parent = parent();
        return parent == null || !Files.isWritable(parent)
                ? null
                : create(parent, Files.exists(VERSION_1.resolve("cgroup.procs")), limit);
    }

    /** Creates a group within this one. Of version 2 this one may then have no process of its own. */
    public MemoryGroup within(long limit) throws IOException {
        if (!first) {
            Files.writeString(directory.resolve("cgroup.subtree_control"), "+memory");
        }
        return create(directory, first, limit);
    }

    private static MemoryGroup create(Path parent, boolean first, long limit) throws IOException {
        MemoryGroup group = new MemoryGroup(parent, first);
        try {
            if (first) {
                group.write("memory.use_hierarchy", "1");
            }
            group.write(first ? "memory.limit_in_bytes" : "memory.max", Long.toString(limit));
            // Swap would take what the limit refuses.
            group.writeIfThere(first ? "memory.memsw.limit_in_bytes" : "memory.swap.max", first ? limit : 0);
            return group;
        } catch (IOException e) {
            group.close();
            throw e;
        }
    }

    /**
     * The group in which groups with a limit can be made: that of this process, or of version 2, where a group with
     * processes has none with controllers below it, the one above; null if there is none.
     */
    private static Path parent() throws IOException {
        boolean first = Files.exists(VERSION_1.resolve("cgroup.procs"));
        for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
            String[] parts = line.split(":", 3);
            if (first && Arrays.asList(parts[1].split(",")).contains("memory")) {
                Path own = VERSION_1.resolve(parts[2].substring(1));
                return Files.exists(own) ? own : VERSION_1;
            }
            if (!first && parts[0].equals("0")) {
                Path own = SYSTEM.resolve(parts[2].substring(1));
                while (own.startsWith(SYSTEM) && !hasMemory(own)) {
                    own = own.getParent();
                }
                return own.startsWith(SYSTEM) ? own : null;
            }
        }
        return null;
    }

    private static boolean hasMemory(Path group) throws IOException {
        Path control = group.resolve("cgroup.subtree_control");
        return Files.exists(control)
                && Arrays.asList(Files.readString(control).strip().split(" ")).contains("memory");
    }

    /** A command that takes the one that follows it into this group, for {@link ChildJvm#start}. */
    public List<String> wrapper() {
        return List.of(
                "sh", "-c", "echo $$ > '" + directory.resolve("cgroup.procs") + "' && exec \"$@\"", "memory-group");
    }

    /** The memory that is charged to this group, in bytes. */
    public long used() throws IOException {
        return Long.parseLong(read(first ? "memory.usage_in_bytes" : "memory.current"));
    }

    /** The most memory that was charged to this group, in bytes; of version 2 only since Linux 5.19. */
    public long most() throws IOException {
        return Long.parseLong(read(first ? "memory.max_usage_in_bytes" : "memory.peak"));
    }

    /** How many processes of this group the kernel has killed for want of memory. */
    public int killed() throws IOException {
        return Files.readAllLines(directory.resolve(first ? "memory.oom_control" : "memory.events")).stream()
                .filter(line -> line.startsWith("oom_kill "))
                .mapToInt(line -> Integer.parseInt(line.substring("oom_kill ".length())))
                .sum();
    }

    private void writeIfThere(String file, long value) throws IOException {
        if (Files.exists(directory.resolve(file))) {
            write(file, Long.toString(value));
        }
    }
}
