// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A control group of a test, of version 1 or 2. All of its processes have to end before it is closed. */
public abstract class TestGroup implements AutoCloseable {
    /** Where the groups of version 2 are, and the directories of the controllers of version 1. */
    protected static final Path SYSTEM = Path.of("/sys/fs/cgroup");

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final long BETWEEN_LOOKS_NS = 5_000_000;
    private static final int MOST_LOOKS = 12_000;

    /** Of the group. */
    protected final Path directory;

    /** Whether it is a group of version 1. */
    protected final boolean first;

    /**
     * Creates a group.
     *
     * @param parent the group above it
     * @param first whether it is of version 1
     * @throws IOException if this process may not create one
     */
    protected TestGroup(Path parent, boolean first) throws IOException {
        String name = "pipedevice-test-" + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet();
        this.directory = Files.createDirectory(parent.resolve(name));
        this.first = first;
    }

    /** Takes a process into this group. What it has allocated before stays charged to its old group. */
    public final void add(long pid) throws IOException {
        write("cgroup.procs", Long.toString(pid));
    }

    /** Whether it is a group of version 1. */
    public final boolean isFirstVersion() {
        return first;
    }

    /** What the kernel says in a file of the group. */
    protected final String read(String file) throws IOException {
        return Files.readString(directory.resolve(file)).strip();
    }

    /** Sets a file of the group. */
    protected final void write(String file, String value) throws IOException {
        Files.writeString(directory.resolve(file), value);
    }

    /** Removes the group, once the last of its processes, which were killed, have left it. */
    @Override
    public void close() throws IOException {
        for (int look = 0; ; look++) {
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
