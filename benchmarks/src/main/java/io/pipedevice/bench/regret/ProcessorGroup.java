// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A control group whose processes get half a processor together, as by a CPU limit of 500m in Kubernetes; of version 1
 * or 2, cgroups(7). Used by one thread. Its processes have ended before {@link #close}, which removes it.
 */
final class ProcessorGroup implements AutoCloseable {
    private static final Path SYSTEM = Path.of("/sys/fs/cgroup");

    /** Where version 1 has the controller. */
    private static final List<Path> VERSION_1 = List.of(SYSTEM.resolve("cpu"), SYSTEM.resolve("cpu,cpuacct"));

    private static final Path VERSION_2 = SYSTEM.resolve("cgroup.subtree_control");
    private static final int PERIOD_US = 100_000;
    private static final int QUOTA_US = PERIOD_US / 2;
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    /** The kernel removes an ended process from its group a little later. */
    private static final int MOST_LOOKS = 1000;

    private static final long BETWEEN_LOOKS_NS = 5_000_000;

    private final Path directory;

    private ProcessorGroup(Path directory) {
        this.directory = directory;
    }

    /** Whether this process may create one. */
    static boolean isPossible() {
        Path parent = parent();
        return parent != null && Files.isWritable(parent);
    }

    static ProcessorGroup create() throws IOException {
        Path parent = parent();
        if (parent == null) {
            throw new IOException("no control groups for processors");
        }
        String name = "pipedevice-bench-" + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet();
        ProcessorGroup group = new ProcessorGroup(Files.createDirectory(parent.resolve(name)));
        try {
            group.limit();
            return group;
        } catch (IOException e) {
            group.close();
            throw e;
        }
    }

    private void limit() throws IOException {
        if (Files.exists(directory.resolve("cpu.max"))) {
            Files.writeString(directory.resolve("cpu.max"), QUOTA_US + " " + PERIOD_US);
        } else {
            Files.writeString(directory.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_US));
            Files.writeString(directory.resolve("cpu.cfs_quota_us"), Integer.toString(QUOTA_US));
        }
    }

    /** The group in which groups with a limit can be made; null if there is none. */
    private static Path parent() {
        for (Path each : VERSION_1) {
            if (Files.exists(each.resolve("cgroup.procs"))) {
                return each;
            }
        }
        try {
            return Files.readString(VERSION_2).matches("(?s).*\\bcpu\\b.*") ? SYSTEM : null;
        } catch (IOException e) {
            // There is no version 2, or it may not be read.
            return null;
        }
    }

    /** The command that runs another one in the group. */
    List<String> enter(List<String> command) {
        List<String> words = new ArrayList<>(
                List.of("bash", "-c", "echo $$ > '" + directory.resolve("cgroup.procs") + "' && exec \"$@\"", "bash"));
        words.addAll(command);
        return words;
    }

    @Override
    public void close() throws IOException {
        for (int look = 1; true; look++) {
            try {
                Files.deleteIfExists(directory);
                return;
            } catch (DirectoryNotEmptyException e) {
                throw e;
            } catch (FileSystemException e) {
                if (look == MOST_LOOKS) {
                    throw e;
                }
                LockSupport.parkNanos(BETWEEN_LOOKS_NS);
            }
        }
    }
}
