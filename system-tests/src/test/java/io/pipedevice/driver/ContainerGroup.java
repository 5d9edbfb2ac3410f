// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A control group of the name that Docker gives to that of a container, so that its processes have a container ID. */
final class ContainerGroup implements AutoCloseable {
    private static final Path SYSTEM = Path.of("/sys/fs/cgroup");
    private static final Path VERSION_1 = SYSTEM.resolve("pids");

    private final Path directory;

    private ContainerGroup(Path directory) {
        this.directory = directory;
    }

    /** Creates the group of an ID. The test is skipped where this process may not create one. */
    static ContainerGroup of(String id) throws IOException {
        Path parent = Files.exists(VERSION_1.resolve("cgroup.procs")) ? VERSION_1 : SYSTEM;
        assumeTrue(
                Files.exists(parent.resolve("cgroup.procs")) && Files.isWritable(parent), "no right to make a group");
        return new ContainerGroup(Files.createDirectory(parent.resolve("docker-" + id + ".scope")));
    }

    /** A command that takes the one that follows it into this group. */
    String[] wrapper() {
        return new String[] {"sh", "-c", "echo $$ > '" + directory.resolve("cgroup.procs") + "' && exec \"$@\"", "sh"};
    }

    /** Removes the group as soon as its processes have ended. */
    @Override
    public void close() {
        TestDriver.await("the end of the processes of " + directory, () -> {
            try {
                Files.deleteIfExists(directory);
                return true;
            } catch (DirectoryNotEmptyException e) {
                throw e;
            } catch (FileSystemException e) {
                return false; // EBUSY
            }
        });
    }
}
