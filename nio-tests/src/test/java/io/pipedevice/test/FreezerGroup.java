// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * A control group whose processes can be frozen, as {@code docker pause} does, of version 1 or 2. It is thawed when it is
 * closed, and all of its processes have to end, or to be killed, before that returns.
 */
public final class FreezerGroup implements AutoCloseable {
    private static final Path SYSTEM = Path.of("/sys/fs/cgroup");
    private static final Path VERSION_1 = SYSTEM.resolve("freezer");
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final Path directory;
    private final boolean first;

    private FreezerGroup(Path directory, boolean first) {
        this.directory = directory;
        this.first = first;
    }

    /** Creates a group. The test is skipped where this process may not create one. */
    public static FreezerGroup create() throws IOException {
        boolean first = Files.exists(VERSION_1.resolve("cgroup.procs"));
        Path parent = first ? VERSION_1 : SYSTEM;
        assumeTrue(
                Files.exists(parent.resolve("cgroup.procs")) && Files.isWritable(parent),
                "no freezer, or no right to make a group");
        String name = "pipedevice-test-" + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet();
        return new FreezerGroup(Files.createDirectory(parent.resolve(name)), first);
    }

    /** Takes a process into this group. */
    public void add(long pid) throws IOException {
        Files.writeString(directory.resolve("cgroup.procs"), Long.toString(pid));
    }

    /** Stops all processes; none runs when this returns. */
    public void freeze() throws IOException {
        set(true);
        Awaitility.await("frozen").atMost(Duration.ofMinutes(1)).until(this::isFrozen);
    }

    /** Lets all processes go on. */
    public void thaw() throws IOException {
        set(false);
    }

    private void set(boolean frozen) throws IOException {
        if (first) {
            Files.writeString(directory.resolve("freezer.state"), frozen ? "FROZEN" : "THAWED");
        } else {
            Files.writeString(directory.resolve("cgroup.freeze"), frozen ? "1" : "0");
        }
    }

    private boolean isFrozen() throws IOException {
        return first
                ? Files.readString(directory.resolve("freezer.state")).strip().equals("FROZEN")
                : Files.readAllLines(directory.resolve("cgroup.events")).contains("frozen 1");
    }

    /** Removes the group, once the last of its processes has left it. */
    @Override
    public void close() throws IOException {
        thaw();
        for (String pid : Files.readAllLines(directory.resolve("cgroup.procs"))) {
            ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
        }
        Awaitility.await("an empty group").atMost(Duration.ofMinutes(1)).until(this::isRemoved);
    }

    private boolean isRemoved() throws IOException {
        try {
            Files.delete(directory);
            return true;
        } catch (NoSuchFileException e) {
            return true;
        } catch (FileSystemException e) {
            return false;
        }
    }
}
